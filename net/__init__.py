"""How peers find each other and keep step."""
