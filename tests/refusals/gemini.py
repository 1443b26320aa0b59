"""What models and hosts refuse of this wire: gemini."""
