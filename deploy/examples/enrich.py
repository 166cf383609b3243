#!/usr/bin/env python3
"""Starts an enrichment job, watches it live and prints the books found.

    python3 enrich.py ISBN...       BOOKSTRACK_URL is the API's address (default: http://127.0.0.1:8787)

Requires websockets (pip install websockets, or Debian's python3-websockets).
"""
import asyncio
import json
import os
import random
import sys
import time
import urllib.request
import uuid

import websockets

API = os.environ.get("BOOKSTRACK_URL", "http://127.0.0.1:8787")


def call(path, body=None, attempts=5):
    """Makes a request, and repeats it if the connection is lost or the API asks the client to wait."""
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(API + path, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)["data"]
    except OSError as problem:
        if attempts == 1 or getattr(problem, "code", 503) not in (429, 503):
            raise
        time.sleep(int(getattr(problem, "headers", {}).get("Retry-After", 1)))
    return call(path, body, attempts - 1)


async def watch(job, token):
    """Follows the job over as many connections as it takes, and returns its last frame."""
    address = f"{API.replace('http', 'ws', 1)}/ws/progress?jobId={job}&token={token}"
    since, delay = "", 1
    while True:
        try:
            async with websockets.connect(address + since) as socket:
                await socket.send('{"type":"ready"}')
                async for text in socket:
                    frame = json.loads(text)
                    # After a reconnect, the server sends every event that follows this one.
                    since, delay = f"&since={frame['seq']}", 1
                    payload = frame["payload"]
                    if frame["type"] in ("job_started", "job_progress"):
                        print(f"{frame['seq']}: {payload['status']}", file=sys.stderr, flush=True)
                    if frame["type"] in ("job_complete", "error") or payload.get("status") == "job_cancelled":
                        return frame
        except (OSError, websockets.WebSocketException) as problem:
            response = getattr(problem, "response", problem)
            if getattr(response, "status_code", None) in (400, 401, 403):
                raise
        print("connection lost; reconnecting", file=sys.stderr, flush=True)
        await asyncio.sleep(delay * random.uniform(0.5, 1))
        delay = min(2 * delay, 30)


# If the client chooses the jobId, the request can be repeated: the same books return the same job.
start = call("/v1/enrichment/batch", {"jobId": str(uuid.uuid4()), "isbns": sys.argv[1:]})
end = asyncio.run(watch(start["jobId"], start["token"]))
if end["type"] != "job_complete":
    sys.exit(end["payload"].get("message", "the job was cancelled"))
for book in call(start["resultsUrl"])["enrichedBooks"]:
    print(book["enriched"]["work"]["title"] if book["success"] else f"{book['isbn']}: {book['error']}")
