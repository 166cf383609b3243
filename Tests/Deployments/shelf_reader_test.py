"""Tests of deploy/shelf-reader. Tests that read photos need its requirements and are skipped without them."""

import base64
import http.client
import importlib.util
import io
import json
import os
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "shelf-reader"
sys.path.insert(0, str(FOLDER))

import header
import server

CAN_READ = all(importlib.util.find_spec(name) for name in ("cv2", "rapidocr_onnxruntime", "zxingcpp"))


def png(width: int, height: int) -> bytes:
    """A PNG image that has no pixels, with this size in its header."""
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))


def jpeg(width: int, height: int) -> bytes:
    return b"\xff\xd8\xff\xe1\x00\x06Exif\xff\xff\xc2\x00\x0b\x08" + struct.pack(">HH", height, width) + b"\x01\x00\x00\x00"


class Connection(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=90)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(90)
        self.sock.connect(str(self.path))


def ask(path: Path, method: str, route: str, body: bytes | None = None) -> tuple[int, Any]:
    connection = Connection(path)
    try:
        connection.request(method, route, body)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def question(photo: bytes, kind: str = "image/jpeg") -> bytes:
    image = {"type": "image_url", "image_url": {"url": f"data:{kind};base64,{base64.b64encode(photo).decode()}"}}
    messages = [{"role": "system", "content": "Read."}, {"role": "user", "content": [{"type": "text", "text": "?"}, image]}]
    return json.dumps({"model": "shelf-reader", "messages": messages}).encode()


class HeaderTests(unittest.TestCase):
    def test_the_size_of_each_image_type_is_read_from_its_header(self) -> None:
        webp = b"RIFF\x00\x00\x00\x00WEBP"
        lossy = webp + b"VP8 " + bytes(4) + b"\x00\x00\x00\x9d\x01\x2a" + struct.pack("<HH", 640, 480)
        lossless = webp + b"VP8L" + bytes(4) + b"\x2f" + struct.pack("<I", 639 | 479 << 14)
        extended = webp + b"VP8X" + bytes(8) + struct.pack("<HBHB", 639, 0, 479, 0)
        for photo in (jpeg(640, 480), png(640, 480), lossy, lossless, extended):
            self.assertEqual(header.size(photo), (640, 480))

    def test_unsupported_incomplete_and_oversized_photos_are_refused_with_a_reason(self) -> None:
        heic = b"\x00\x00\x00\x18ftypheic"
        cases = [(heic, "convert the photo to JPEG"), (png(30_000, 30_000), "megapixels"), (png(0, 5), "not a complete"), (b"", "not a complete")]
        cases += [(jpeg(640, 480)[:length], "not a complete") for length in range(18)]
        cases += [(b"\xff\xd8\xff" + b"\xff" * 1_000, "not a complete"), (b"GIF89a" + bytes(40), "not a complete")]
        for photo, reason in cases:
            with self.subTest(photo=photo[:20]), self.assertRaisesRegex(header.Refusal, reason):
                header.size(photo)


class ServerTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "reader.sock"
        self.server = server.Server(str(self.path), server.Handler)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.addCleanup(setattr, sys, "stderr", sys.stderr)
        sys.stderr = io.StringIO()

    def set(self, target: Any, name: str, value: Any) -> None:
        self.addCleanup(setattr, target, name, getattr(target, name))
        setattr(target, name, value)

    def test_the_models_route_lists_the_model(self) -> None:
        status, body = ask(self.path, "GET", "/v1/models")
        self.assertEqual((status, body["data"][0]["id"]), (200, "shelf-reader"))

    def test_the_response_contains_the_output_of_the_reading_process(self) -> None:
        self.set(server, "READER", [sys.executable, "-c", "import sys; print('[' + str(len(sys.stdin.buffer.read())) + ']')"])
        status, body = ask(self.path, "POST", "/v1/chat/completions", question(jpeg(640, 480)))
        self.assertEqual((status, body["choices"][0]["finish_reason"]), (200, "stop"))
        self.assertEqual(json.loads(body["choices"][0]["message"]["content"]), [len(jpeg(640, 480))])

    def test_a_reading_process_that_fails_or_exceeds_a_limit_is_reported_as_an_error_of_the_photo(self) -> None:
        self.set(server, "LONGEST_WAIT", 0.3)
        for reader in (["/bin/false"], ["/bin/sleep", "60"], [sys.executable, "-c", "print('x' * (2 << 20))"]):
            self.set(server, "READER", reader)
            status, body = ask(self.path, "POST", "/v1/chat/completions", question(jpeg(640, 480)))
            self.assertEqual((status, body["error"]["code"]), (422, "image_failed"), reader)
        self.assertEqual(ask(self.path, "GET", "/v1/models")[0], 200)

    def test_bad_requests_are_refused_before_a_reading_process_is_started(self) -> None:
        self.set(server, "READER", ["/nonexistent"])
        for body in (b"", b"{", b"[]", b'{"messages":1}', b'{"messages":[{"content":[{"type":"image_url","image_url":{"url":"http://x"}}]}]}'):
            self.assertEqual(ask(self.path, "POST", "/v1/chat/completions", body)[0], 400, body)
        for photo in (png(30_000, 30_000), b"\x00\x00\x00\x18ftypheic", b"x"):
            status, answer = ask(self.path, "POST", "/v1/chat/completions", question(photo))
            self.assertEqual((status, answer["error"]["code"]), (400, "invalid_image"))
        self.assertEqual(ask(self.path, "POST", "/v1/embeddings", b"{}")[0], 404)
        self.assertEqual(ask(self.path, "GET", "/")[0], 404)
        connection = Connection(self.path)
        connection.request("POST", "/v1/chat/completions", headers={"Content-Length": str(16 << 20)})
        self.assertEqual(connection.getresponse().status, 413)
        connection.close()

    def test_connections_from_users_who_are_not_allowed_are_closed(self) -> None:
        self.set(server.Server, "users", {os.getuid() + 1})
        with self.assertRaises((http.client.HTTPException, ConnectionError)):
            ask(self.path, "GET", "/v1/models")


@unittest.skipUnless(CAN_READ, "its requirements are not installed")
class ReadingTests(unittest.TestCase):
    """Tests that read photos with the real program."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "reader.sock"
        environment = os.environ | {"BOOKSTRACK_SHELF_READER_SOCKET": str(self.path)}
        self.process = subprocess.Popen([sys.executable, str(FOLDER / "server.py")], env=environment, stderr=subprocess.DEVNULL)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            try:  # The socket file exists before the reader listens on it.
                self.assertEqual(ask(self.path, "GET", "/v1/models")[0], 200)
                return
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.05)
        self.fail("The reader was not listening within 120 s.")

    def read(self, picture: Any) -> list[dict[str, Any]]:
        import cv2

        status, body = ask(self.path, "POST", "/v1/chat/completions", question(cv2.imencode(".png", picture)[1].tobytes()))
        self.assertEqual(status, 200, body)
        return json.loads(body["choices"][0]["message"]["content"])

    def test_a_stopped_reader_removes_its_socket(self) -> None:
        self.process.terminate()
        self.assertEqual(self.process.wait(120), 0)
        self.assertFalse(self.path.exists())

    def test_only_the_socket_owner_and_group_have_access(self) -> None:
        self.assertEqual(stat.S_IMODE(self.path.stat().st_mode), 0o660)

    def test_adjacent_books_with_titles_in_either_direction_are_separate_and_barcodes_are_read(self) -> None:
        import cv2
        import numpy as np
        import zxingcpp

        def spine(lines: list[str], color: tuple[int, int, int]) -> Any:
            """A book lying on its side, read from left to right."""
            book = np.full((130, 900, 3), color, np.uint8)
            for number, line in enumerate(lines):
                place = (40, 75 if len(lines) == 1 else 56 + 40 * number)
                cv2.putText(book, line, place, cv2.FONT_HERSHEY_DUPLEX, 1.5, (255, 255, 255), 3, cv2.LINE_AA)
            return book

        shelf = np.full((1_000, 1_000, 3), 60, np.uint8)
        shelf[50:950, 100:230] = np.rot90(spine(["THE WINTER GARDEN", "MARGARET HOLLIS"], (120, 40, 30)), -1)
        shelf[50:950, 235:365] = np.rot90(spine(["A HISTORY OF SALT"], (40, 110, 50)), -1)
        shelf[50:950, 370:500] = np.rot90(spine(["DER LANGE WEG"], (60, 60, 170)), 1)
        code = zxingcpp.create_barcode("9780306406157", zxingcpp.BarcodeFormat.EAN13).to_image(scale=3)
        code = cv2.copyMakeBorder(np.array(code), 20, 20, 30, 30, cv2.BORDER_CONSTANT, value=255)
        shelf[100 : 100 + code.shape[0], 600 : 600 + code.shape[1]] = code[:, :, None]

        found = self.read(shelf)
        texts = [entry["text"] for entry in found if entry["text"].isupper() and "97" not in entry["text"]]
        self.assertEqual(texts, ["THE WINTER GARDEN\nMARGARET HOLLIS", "A HISTORY OF SALT", "DER LANGE WEG"])
        self.assertEqual([entry["isbn"] for entry in found if entry["isbn"]], ["9780306406157"])
        for entry in found:
            box = entry["box"]
            self.assertTrue(0 <= box["x1"] <= box["x2"] <= 1 and 0 <= box["y1"] <= box["y2"] <= 1, box)
            self.assertTrue(0 < entry["confidence"] <= 1)

    def test_aligned_short_lines_on_books_lying_flat_belong_to_separate_spines(self) -> None:
        import cv2
        import numpy as np

        shelf = np.full((600, 1_000, 3), 60, np.uint8)
        books = [("BLACK HARVEST", "EDWARD", "CARTON", (120, 40, 30)), ("THE LONG ROAD", "LAURA", "FRANKE", (40, 110, 50))]
        for number, (title, *names, color) in enumerate(books):
            top = 200 + 130 * number
            shelf[top : top + 128, 40:960] = color
            for text, place, size in ((title, (60, 80), 1.4), (names[0], (720, 55), 1), (names[1], (720, 98), 1)):
                cv2.putText(shelf, text, (place[0], top + place[1]), cv2.FONT_HERSHEY_DUPLEX, size, (255, 255, 255), 2, cv2.LINE_AA)
        texts = [entry["text"] for entry in self.read(shelf)]
        self.assertIn("EDWARD\nCARTON", texts)
        self.assertIn("LAURA\nFRANKE", texts)

    def test_a_photo_of_an_empty_shelf_has_no_entries(self) -> None:
        import numpy as np

        self.assertEqual(self.read(np.full((600, 800, 3), 90, np.uint8)), [])

    def test_a_damaged_photo_is_reported_as_an_error_of_the_photo(self) -> None:
        status, body = ask(self.path, "POST", "/v1/chat/completions", question(png(640, 480)))
        self.assertEqual((status, body["error"]["code"]), (422, "image_failed"))


if __name__ == "__main__":
    unittest.main()
