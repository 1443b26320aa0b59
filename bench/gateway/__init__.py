"""The gateway under load, beside LiteLLM's proxy and what is left without a codec."""
