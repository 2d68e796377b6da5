"""The coach in the browser: a small ASGI app over the public API, and the page it serves."""
