"""A small web server for tests: echo, a slow stream, an upload's length, and WebSocket echo."""

import base64
import hashlib
import json
import socket
import struct
import sys
import threading
import time


def read_exactly(reader, length):
    data = reader.read(length)
    if len(data) < length:
        raise EOFError
    return data


def answer(connection, body, kind="application/json"):
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nSet-Cookie: a=b\r\n\r\n"
    connection.sendall(head.encode() + body)


def slow(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n")
    for number in range(5):
        piece = f"piece {number}\n".encode()
        connection.sendall(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        time.sleep(0.4)
    connection.sendall(b"0\r\n\r\n")


def websocket(connection, reader, headers):
    key = headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
    connection.sendall(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode()
    )
    while True:
        first, second = read_exactly(reader, 2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack(">H", read_exactly(reader, 2))
        mask = read_exactly(reader, 4)
        data = bytes(b ^ mask[i % 4] for i, b in enumerate(read_exactly(reader, length)))
        if first & 0x0F == 8:
            connection.sendall(bytes([0x88, len(data)]) + data)
            return
        data = data[::-1]
        head = bytes([0x82, len(data)]) if len(data) < 126 else b"\x82\x7e" + struct.pack(">H", len(data))
        connection.sendall(head + data)


def serve(connection):
    reader = connection.makefile("rb")
    try:
        while line := reader.readline():
            method, path, _ = line.decode().split()
            headers = {}
            while (field := reader.readline().decode().rstrip("\r\n")) != "":
                name, value = field.split(":", 1)
                headers[name.lower()] = value.strip()
            if headers.get("upgrade", "").lower() == "websocket":
                return websocket(connection, reader, headers)
            body = read_body(reader, headers)
            if path == "/slow":
                slow(connection)
            else:
                said = {"method": method, "path": path, "headers": headers, "length": len(body)}
                said["sha256"] = hashlib.sha256(body).hexdigest()
                answer(connection, json.dumps(said).encode())
    except (EOFError, OSError):
        pass
    finally:
        connection.close()


def read_body(reader, headers):
    if headers.get("transfer-encoding", "").lower() != "chunked":
        return read_exactly(reader, int(headers.get("content-length", "0")))
    body = b""
    while size := int(reader.readline(), 16):
        body += read_exactly(reader, size)
        reader.readline()
    reader.readline()
    return body


listener = socket.create_server(("0.0.0.0", int(sys.argv[1])), backlog=64)
print("listening", flush=True)
while True:
    accepted, _ = listener.accept()
    threading.Thread(target=serve, args=(accepted,), daemon=True).start()
