"""The processes of one `serve`: the web server, its workers, the port for plain http, the log."""
