"""A TLS server with a certificate of its own and a CONNECT proxy, for the tests of ways through a network.

Prints one line when both listen: {"tls": port, "proxy": port, "certificate": path}. Every CONNECT is a line after it. Ends when standard
input ends. The proxy leads every name to this machine, and answers 407 to the name "refused.example".
"""

import http.server
import json
import os
import socket
import socketserver
import ssl
import subprocess
import sys
import tempfile
import threading


def certificate(folder):
    cert, key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=books.example",
         "-addext", "subjectAltName=DNS:books.example,IP:127.0.0.1", "-keyout", key, "-out", cert],
        check=True, stderr=subprocess.DEVNULL)
    return cert, key


class Books(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b"through"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Proxy(socketserver.StreamRequestHandler):
    def handle(self):
        request = self.rfile.readline().decode()
        while self.rfile.readline().strip():
            pass
        method, target, _ = request.split()
        print(method + " " + target, flush=True)
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


class Threaded(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True
    allow_reuse_address = True


with tempfile.TemporaryDirectory() as folder:
    cert, key = certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    books = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Books)
    books.socket = context.wrap_socket(books.socket, server_side=True)
    proxy = Threaded(("127.0.0.1", 0), Proxy)
    for server in (books, proxy):
        threading.Thread(target=server.serve_forever, daemon=True).start()
    ports = {"tls": books.server_address[1], "proxy": proxy.server_address[1], "certificate": cert}
    print(json.dumps(ports), flush=True)
    sys.stdin.read()
