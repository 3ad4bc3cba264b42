"""Seats for language models: a server of the Model Context Protocol, and a bot that asks a chat service."""
