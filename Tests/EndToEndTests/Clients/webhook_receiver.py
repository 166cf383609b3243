"""Receives webhooks and checks their signatures with the standard library (jobs.md "Webhooks").

Usage: webhook_receiver.py PORT SECRET STATUS... Responds to successive requests with the statuses, and to all further ones with the last; 0
means that the connection is closed after 10 s without a response. Prints one JSON object per request before it responds.
"""
import base64
import hashlib
import hmac
import http.server
import json
import sys
import time

PORT, SECRET, STATUSES = int(sys.argv[1]), sys.argv[2], [int(status) for status in sys.argv[3:]]
KEY = base64.b64decode(SECRET.removeprefix("whsec_")) if SECRET.startswith("whsec_") else SECRET.encode()


class Receiver(http.server.BaseHTTPRequestHandler):
    received = 0

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        name, timestamp = self.headers["Webhook-Id"], self.headers["Webhook-Timestamp"]
        signed = f"{name}.{timestamp}.".encode() + body
        expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
        print(json.dumps({
            "signed": hmac.compare_digest(self.headers["Webhook-Signature"], expected),
            "isCurrent": abs(time.time() - int(timestamp)) < 30,
            "id": name, "path": self.path, "body": body.decode(), "type": self.headers["Content-Type"],
        }), flush=True)
        status = STATUSES[min(Receiver.received, len(STATUSES) - 1)]
        Receiver.received += 1
        if status == 0:
            time.sleep(10)
            return
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
