"""The annotation service in the browser: a server, its pages, and a viewer of our own."""
