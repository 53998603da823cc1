"""A web server on one thread that begins an answer to everybody and ends it for nobody."""

import asyncio
import sys


async def serve(reader, writer):
    try:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
        await writer.drain()
        await reader.read()
    except (EOFError, OSError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "0.0.0.0", int(sys.argv[1]), backlog=1024)
    print("listening", flush=True)
    await server.serve_forever()


asyncio.run(main())
