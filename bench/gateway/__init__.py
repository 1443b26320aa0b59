"""The gateway under load, compared with LiteLLM's proxy and a proxy without a codec."""
