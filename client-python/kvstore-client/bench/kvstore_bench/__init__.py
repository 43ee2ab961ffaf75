"""Programs that ``kv demo --client python`` and ``kv bench python`` run, and that show the client at work."""
