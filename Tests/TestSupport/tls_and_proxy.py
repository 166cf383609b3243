"""A TLS server, two HTTP/2 servers and a TLS tunnel with a certificate from a private authority, and a CONNECT proxy, for tests of network paths.

Prints one line once all are listening: {"tls": port, "goingAway": port, "stalling": port, "tunnel": port, "proxy": port, "authority": path}. After
that, the proxy prints a line for each request. Ends when standard input ends. The proxy maps every name to this machine, and responds with 407 for
"refused.example" and to methods other than CONNECT. The TLS server responds with "through"; after a line "http://host:port" on standard input, it
forwards requests to that address. The tunnel has the same certificate and forwards every byte to the same address, for WebSockets and event streams.
One HTTP/2 server ends each connection with GOAWAY when the first request arrives, without processing it; the other one answers only the first
request on each connection.
"""

import asyncio
import http.client
import http.server
import json
import os
import queue
import socket
import socketserver
import ssl
import subprocess
import sys
import tempfile
import threading


def make(folder, name, *arguments):
    cert, key = os.path.join(folder, name + ".pem"), os.path.join(folder, name + ".key")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", cert, *arguments],
        check=True, stderr=subprocess.DEVNULL)
    return cert, key


def certificates(folder):
    authority, signing = make(folder, "authority", "-subj", "/CN=A test authority")
    return authority, make(
        folder, "server", "-subj", "/CN=books.example", "-addext", "subjectAltName=DNS:books.example,IP:127.0.0.1",
        "-addext", "basicConstraints=critical,CA:FALSE", "-CA", authority, "-CAkey", signing)


class Books(http.server.BaseHTTPRequestHandler):
    upstream = None

    def do_GET(self):
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, headers, body = self.passed_on(sent) if self.upstream else (200, [], b"through")
        self.send_response(status)
        for name, value in headers:
            if name.lower() in ("content-type", "content-encoding", "retry-after"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def passed_on(self, sent):
        far = http.client.HTTPConnection(self.upstream.removeprefix("http://"), timeout=20)
        fields = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        far.request(self.command, self.path, body=sent or None, headers=fields)
        answer = far.getresponse()
        passed = answer.status, answer.getheaders(), answer.read()
        far.close()
        return passed

    def log_message(self, *_):
        pass


class HTTP2(socketserver.StreamRequestHandler):
    # Frame types (RFC 9113 §6).
    HEADERS, SETTINGS, GOAWAY = 1, 4, 7

    def handle(self):
        self.rfile.read(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
        self.send(self.SETTINGS)
        requests = 0
        while len(head := self.rfile.read(9)) == 9:
            self.rfile.read(int.from_bytes(head[:3], "big"))
            if head[3] == self.HEADERS:
                requests += 1
                self.answer(requests, stream=head[5:])

    def send(self, kind, payload=b"", flags=0, stream=bytes(4)):
        self.wfile.write(len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream + payload)


class GoingAway(HTTP2):
    def answer(self, number, stream):
        # No stream was processed, and there is no error.
        self.send(self.GOAWAY, bytes(8))


class Stalling(HTTP2):
    def answer(self, number, stream):
        if number == 1:
            # END_STREAM and END_HEADERS; the only field is `:status: 200` (RFC 7541 appendix A).
            self.send(self.HEADERS, b"\x88", flags=5, stream=stream)


class Proxy(socketserver.StreamRequestHandler):
    def handle(self):
        request = self.rfile.readline().decode()
        while self.rfile.readline().strip():
            pass
        method, target, _ = request.split()
        # One write, because print() writes the line and its end separately, and requests arrive concurrently.
        sys.stdout.write(method + " " + target + "\n")
        sys.stdout.flush()
        host, port = target.rsplit(":", 1)
        if method != "CONNECT" or host == "refused.example":
            self.wfile.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            return
        with socket.create_connection(("127.0.0.1", int(port))) as far:
            self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=self.pipe, args=(far, self.connection), daemon=True)
            back.start()
            self.pipe(self.connection, far)
            back.join()

    @staticmethod
    def pipe(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


async def tunnel(reader, writer):
    async def pipe(source, target):
        try:
            while data := await source.read(65536):
                target.write(data)
                await target.drain()
        except (OSError, ssl.SSLError):
            pass
        target.close()

    try:
        host, port = Books.upstream.removeprefix("http://").rsplit(":", 1)
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
    except (AttributeError, OSError):
        return writer.close()
    await asyncio.gather(pipe(reader, far_writer), pipe(far_reader, writer))


def serve_tunnel(context, started):
    async def serve():
        server = await asyncio.start_server(tunnel, "127.0.0.1", 0, ssl=context)
        started.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())


class Threaded(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True
    allow_reuse_address = True


with tempfile.TemporaryDirectory() as folder:
    authority, (cert, key) = certificates(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    books = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Books)
    books.socket = context.wrap_socket(books.socket, server_side=True)
    http2_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    http2_context.load_cert_chain(cert, key)
    http2_context.set_alpn_protocols(["h2"])
    going_away, stalling = [Threaded(("127.0.0.1", 0), handler) for handler in (GoingAway, Stalling)]
    for server in (going_away, stalling):
        server.socket = http2_context.wrap_socket(server.socket, server_side=True)
    proxy = Threaded(("127.0.0.1", 0), Proxy)
    for server in (books, going_away, stalling, proxy):
        threading.Thread(target=server.serve_forever, daemon=True).start()
    started = queue.Queue()
    threading.Thread(target=serve_tunnel, args=(context, started), daemon=True).start()
    servers = {"tls": books, "goingAway": going_away, "stalling": stalling, "proxy": proxy}
    ports = {name: server.server_address[1] for name, server in servers.items()}
    print(json.dumps(ports | {"tunnel": started.get(), "authority": authority}), flush=True)
    for line in sys.stdin:
        Books.upstream = line.strip()
