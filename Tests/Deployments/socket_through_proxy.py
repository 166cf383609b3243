"""Starts a job through a TLS proxy and follows it over a WebSocket through the same proxy.

Usage: socket_through_proxy.py https://HOST[:PORT] ISBN-FILE. Fails unless the last frame is the job's completion and the close code is 1000.
"""
import asyncio
import json
import ssl
import sys
import urllib.request

import websockets
from websockets.exceptions import ConnectionClosed

BASE, LIST = sys.argv[1:3]
TRUST = ssl._create_unverified_context()  # The test's own certificate.


def start(isbns):
    request = urllib.request.Request(f"{BASE}/v1/enrichment/batch", json.dumps({"isbns": isbns}).encode())
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, context=TRUST) as answer:
        return json.load(answer)["data"]


async def follow(job):
    url = f"wss{BASE.removeprefix('https')}/ws/progress?jobId={job['jobId']}&token={job['token']}"
    types = []
    async with websockets.connect(url, ssl=TRUST) as socket:
        await socket.send('{"type":"ready"}')
        try:
            async for message in socket:
                types.append(json.loads(message)["type"])
        except ConnectionClosed:
            pass
        return types, socket.close_code


isbns = [line.split("#")[0].strip() for line in open(LIST, encoding="utf-8")]
job = start([isbn for isbn in isbns if isbn][:20])
types, code = asyncio.run(asyncio.wait_for(follow(job), 120))
print(f"{len(types)} frames, the last one is {types[-1]}, closed with {code}")
sys.exit(0 if types[-1] == "job_complete" and code == 1000 else 1)
