"""What models and hosts refuse of this wire: openai_chat."""
