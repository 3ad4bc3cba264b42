"""The full-screen client, in this process: keys come from a pipe, the screen is an emulated terminal."""
