"""What stands between the agent and a Python interpreter."""
