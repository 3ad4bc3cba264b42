"""The process of a bot: started, boxed, limited, measured and ended."""
