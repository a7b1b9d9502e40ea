"""Maximum flow."""
