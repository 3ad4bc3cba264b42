"""What a person sees: commands, pictures, reports."""
