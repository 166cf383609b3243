"""Clients of a proxy that shares its connections to api-proxy: upgrade offers, ordinary requests and WebSockets alternate.

Usage: pooled_connections.py PROXY-PORT API-PROXY-PORT ISBN-FILE. Fails unless every request is answered within 30 s and a WebSocket uses
a connection that has been used before.
"""
import json
import socket
import struct
import sys

PROXY, UPSTREAM = int(sys.argv[1]), int(sys.argv[2])
OFFER = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


def ask(head, body=b""):
    """Sends a request over a new connection; returns the connection as a file, and the response's status and header fields."""
    connection = socket.create_connection(("127.0.0.1", PROXY), timeout=30)
    connection.sendall(f"{head}Host: 127.0.0.1:{PROXY}\r\n\r\n".encode() + body)
    file = connection.makefile("rwb")
    status = int(file.readline().split()[1])
    fields = {}
    while line := file.readline().decode().strip():
        name, value = line.split(":", 1)
        fields[name.lower()] = value.strip()
    return file, status, fields


def expect_health(fields=""):
    file, status, answered = ask(f"GET /health/live HTTP/1.1\r\n{fields}")
    file.close()
    assert status == 200 and "x-api-version" in answered, f"status {status}: {answered}"


def start_job(isbns):
    body = json.dumps({"isbns": isbns}).encode()
    file, status, fields = ask(
        f"POST /v1/enrichment/batch HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n", body)
    assert status == 202, f"status {status}"
    with file:
        return json.loads(file.read(int(fields["content-length"])))["data"]


def frame(file):
    """The next frame: its opcode and payload."""
    opcode, length = struct.unpack("!BB", file.read(2))
    if length == 126:
        length, = struct.unpack("!H", file.read(2))
    elif length == 127:
        length, = struct.unpack("!Q", file.read(8))
    return opcode & 15, file.read(length)


def follow(job):
    """Follows a job over a WebSocket up to the close frame; returns the types of its frames, and the number of connections before and during it."""
    before = established()
    file, status, fields = ask(f"GET /ws/progress?jobId={job['jobId']}&token={job['token']} HTTP/1.1\r\n{OFFER}")
    assert status == 101, f"status {status}: {fields}"
    connections = (before, established())
    ready = b'{"type":"ready"}'
    file.write(struct.pack("!BB4x", 0x81, 0x80 | len(ready)) + ready)
    file.flush()
    types = []
    with file:
        while True:
            opcode, payload = frame(file)
            if opcode == 8:
                assert struct.unpack("!H", payload[:2]) == (1000,), payload
                return types, connections
            if opcode == 1:
                types.append(json.loads(payload)["type"])


def established():
    """The number of open connections to api-proxy."""
    lines = [line.split() for line in open("/proc/net/tcp")][1:]
    return sum(line[2].endswith(f":{UPSTREAM:04X}") and line[3] == "01" for line in lines)


isbns = [text for line in open(sys.argv[3], encoding="utf-8") if (text := line.split("#")[0].strip())][:5]
for _ in range(10):
    expect_health(OFFER)
    expect_health()
reused = 0
for _ in range(3):
    types, (before, after) = follow(start_job(isbns))
    assert types[-1] == "job_complete", types
    reused += after == before > 0
    expect_health(OFFER)
    expect_health()
print(f"{reused} of 3 WebSockets used an existing connection")
assert reused > 0
