"""A web server for bodies of any size: counts what it is sent, sends as much as it is asked for, and tells events."""

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PIECE = bytes(64 * 1024)


class Sink(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = 0
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            while size := int(self.rfile.readline(), 16):
                length += self.skip(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            length = self.skip(int(self.headers.get("Content-Length", "0")))
        self.say(json.dumps({"length": length, "headers": self.names()}).encode())

    def do_GET(self):
        if self.path.startswith("/bytes/"):
            left = int(self.path.removeprefix("/bytes/"))
            self.send_response(200)
            self.send_header("Content-Length", str(left))
            self.end_headers()
            while left > 0:
                self.wfile.write(PIECE[:left])
                left -= len(PIECE)
        elif self.path == "/events":
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for number in range(5):
                self.chunk(f"data: {number}\n\n".encode())
                time.sleep(0.3)
            self.chunk(b"")
        else:
            self.say(json.dumps({"path": self.path, "headers": self.names()}).encode())

    def names(self):
        return {name.lower(): value for name, value in self.headers.items()}

    def skip(self, size):
        left = size
        while left > 0:
            piece = self.rfile.read1(min(left, len(PIECE)))
            if not piece:
                raise EOFError
            left -= len(piece)
        return size

    def chunk(self, piece):
        self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        self.wfile.flush()

    def say(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


server = ThreadingHTTPServer(("0.0.0.0", int(sys.argv[1])), Sink)
print("listening", flush=True)
server.serve_forever()
