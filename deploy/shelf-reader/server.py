"""Serves OpenAI's chat completions route on a Unix socket: the response lists the spines in a photo. A separate process reads each photo."""

import base64
import json
import os
import signal
import socket
import socketserver
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from header import Refusal, size

MODEL = "shelf-reader"
LONGEST_BODY, LONGEST_ANSWER = 15 << 20, 1 << 20  # The body has a photo of at most 10 MiB in base64, and the prompt.
LONGEST_WAIT, MOST_CONNECTIONS = 60.0, 16  # The wait is in seconds: first for a photo's turn, then for its reading.
READER = [sys.executable, str(Path(__file__).with_name("reading.py"))]


class Handler(BaseHTTPRequestHandler):
    """One connection (https://platform.openai.com/docs/api-reference/chat)."""

    protocol_version, timeout = "HTTP/1.1", 30

    def do_GET(self) -> None:
        models = {"object": "list", "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": "bookstrack"}]}
        known = self.path == "/v1/models"
        self._answer(200 if known else 404, models if known else {"error": {"code": "not_found"}})

    def do_POST(self) -> None:
        try:
            content = json.dumps(read(self._photo()), ensure_ascii=False)
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
            self._answer(200, {"id": MODEL, "object": "chat.completion", "created": 0, "model": MODEL, "choices": [choice]})
        except Refusal as refusal:
            self.close_connection = True
            self._answer(refusal.status, {"error": {"code": refusal.code, "message": str(refusal)}})

    def _photo(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if self.path != "/v1/chat/completions":
            raise Refusal(404, "not_found", "No such route.")
        if not length.isdecimal() or int(length) > LONGEST_BODY:
            raise Refusal(413, "too_large", f"The body may have at most {LONGEST_BODY} bytes, and requires a Content-Length.")
        try:
            messages = json.loads(self.rfile.read(int(length)))["messages"]
            parts = [part for message in messages if isinstance(message["content"], list) for part in message["content"]]
            kind, data = next(part["image_url"]["url"] for part in parts if part["type"] == "image_url").split(";base64,")
            photo = base64.b64decode(data if kind.startswith("data:") else "?", validate=True)
        except (ValueError, KeyError, TypeError, AttributeError, StopIteration, RecursionError) as error:
            raise Refusal(400, "invalid_request", "The request contains no photo as a data URI.") from error
        size(photo)
        return photo

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def address_string(self) -> str:
        return "-"


def read(photo: bytes, lock: Any = threading.Lock()) -> Any:  # The default is created once, so only one photo is read at a time.
    if not lock.acquire(timeout=LONGEST_WAIT):
        raise Refusal(503, "busy", "Another photo is being read.")
    try:
        done = subprocess.run(READER, input=photo, capture_output=True, timeout=LONGEST_WAIT, check=False)
    except subprocess.TimeoutExpired as error:
        raise Refusal(422, "image_failed", f"Reading the photo took more than {LONGEST_WAIT:.0f} s.") from error
    finally:
        lock.release()
    if done.returncode or len(done.stdout) > LONGEST_ANSWER:
        print(done.stderr.decode(errors="replace")[-500:], file=sys.stderr)
        raise Refusal(422, "image_failed", "The photo could not be read.")
    return json.loads(done.stdout)


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Its socket has mode 0660; its own user and those in BOOKSTRACK_ALLOWED_UIDS may connect."""

    daemon_threads = True
    users = {os.getuid(), *map(int, filter(None, os.environ.get("BOOKSTRACK_ALLOWED_UIDS", "").split(",")))}
    places = threading.BoundedSemaphore(MOST_CONNECTIONS)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        peer = request.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        return struct.unpack("3i", peer)[1] in self.users

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        with self.places:
            super().process_request_thread(request, client_address)


if __name__ == "__main__":
    place = Path(os.environ.get("BOOKSTRACK_SHELF_READER_SOCKET", "/run/bookstrack/shelf-reader.sock"))
    place.unlink(missing_ok=True)
    os.umask(0o117)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt), Server(str(place), Handler) as server:
        server.serve_forever()
    # Unless BOOKSTRACK_SHELF_READER_SOCKET is set, the worker reports a reader that does not respond only while this socket exists.
    place.unlink(missing_ok=True)
