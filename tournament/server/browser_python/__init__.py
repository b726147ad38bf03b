"""Python for browsers: Pyodide and the archive of the rules, for pages without the server."""
