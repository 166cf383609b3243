"""Checks websocket.md rule by rule with Python's `websockets`, a third-party client.

Usage: progress_socket.py HOST:PORT EMULATOR-URL ISBN-FILE [never-ready]. Prints one JSON object per check: {"check": ..., "ok": ..., "saw": ...}.
The services run with a progress interval of 0 and an emulator that takes a second per request. They wait for `ready` longer than the whole
script takes. With `never-ready`, only a client that never sends `ready` is tested, and the services wait for it only briefly.
"""
import asyncio
import json
import sys
import urllib.request

import websockets
from websockets.exceptions import ConnectionClosed, InvalidStatus

BASE, EMULATOR, LIST = sys.argv[1:4]
NEVER_READY = sys.argv[4:] == ["never-ready"]
ISBNS = [line.split("#")[0].strip() for line in open(LIST, encoding="utf-8")]
ISBNS = [isbn for isbn in ISBNS if isbn and '"' not in isbn][:40]


def call(method, path, body=None, token=None):
    request = urllib.request.Request(f"http://{BASE}{path}", method=method)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["data"]


def put_faults(rules):
    request = urllib.request.Request(f"{EMULATOR}/_emulator/faults", json.dumps(rules).encode(), method="PUT")
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request):
        pass


async def set_faults(*rules):
    await asyncio.to_thread(put_faults, rules)


async def no_job_ends():
    await set_faults({"kind": "hang"})


async def cancel(job):
    return await asyncio.to_thread(call, "DELETE", f"/v1/jobs/{job['jobId']}", None, job["token"])


async def start(count=40):
    return await asyncio.to_thread(call, "POST", "/v1/enrichment/batch", {"isbns": ISBNS[:count]})


def url(job, extra="", token=None):
    return f"ws://{BASE}/ws/progress?jobId={job['jobId']}&token={token or job['token']}{extra}"


async def collect(socket):
    frames = []
    try:
        async for message in socket:
            frames.append(json.loads(message))
    except ConnectionClosed:
        pass
    return frames


async def refusal(target, **options):
    try:
        async with websockets.connect(target, **options):
            return 101, None
    except InvalidStatus as refused:
        body = json.loads(refused.response.body)
        return refused.response.status_code, body["error"]["code"]


async def upgrade_refusals():
    job = await start(1)
    yield "a request without a jobId returns a 400", (await refusal(f"ws://{BASE}/ws/progress"))[0], 400
    unknown = await refusal(f"ws://{BASE}/ws/progress?jobId=no-such-job-1&token=x")
    yield "an unknown job returns a 401", unknown, (401, "UNAUTHORIZED")
    yield "a wrong token returns the same 401", await refusal(url(job, token="wrong")), unknown
    yield "an origin that is not listed returns a 403", (await refusal(url(job), origin="https://evil.example"))[0], 403
    yield "a listed origin is accepted", (await refusal(url(job), origin="https://bookstrack.app"))[0], 101


async def ways_to_carry_the_token():
    job = await start(1)
    bare = f"ws://{BASE}/ws/progress?jobId={job['jobId']}"
    async with websockets.connect(bare, additional_headers={"Authorization": f"Bearer {job['token']}"}) as socket:
        yield "a token in Authorization is accepted", socket.protocol.state.name, "OPEN"
    name = f"bookstrack-auth.{job['token']}"
    async with websockets.connect(bare, subprotocols=[name]) as socket:
        yield "a token in Sec-WebSocket-Protocol is echoed", socket.subprotocol, name


async def whole_life():
    # The job must not end before this client connects. The delay and the emulator's second per request together stay below
    # the 5 s that the worker waits for the first byte of a response.
    await set_faults({"kind": "slow", "milliseconds": 3000})
    job = await start()
    async with websockets.connect(url(job)) as socket:
        await socket.send('{"type":"ready"}')
        frames = [json.loads(await socket.recv()) for _ in range(2)]
        await set_faults()
        frames += await collect(socket)
    types = [frame["type"] for frame in frames]
    events = [f for f in frames if f["type"] != "ready_ack" and not f["payload"].get("keepAlive")]
    numbers = [f["seq"] for f in events]
    yield "ready_ack comes first", types[0], "ready_ack"
    yield "job_started follows", types[1], "job_started"
    yield "a single completion frame arrives, at the end", (types.count("job_complete"), types[-1]), (1, "job_complete")
    yield "seq rises by one after the first two", [b - a for a, b in zip(numbers[1:], numbers[2:])], [1] * (len(numbers) - 2)
    yield "the socket is closed with 1000", socket.close_code, 1000
    keys = {"type", "jobId", "pipeline", "timestamp", "version", "seq", "payload"}
    yield "every frame has the envelope's keys", all(set(f) == keys for f in frames), True
    yield "frames stay below 1 KiB", max(len(json.dumps(f, ensure_ascii=False).encode()) for f in frames) < 1024, True
    yield "frames contain no nulls", "null" in json.dumps(frames), False
    states = [f["payload"]["status"].lower() for f in frames if f["type"] == "job_progress"]
    yield "status contains no words that apps interpret as an end", [s for s in states if any(w in s for w in ("error", "fail", "complete"))], []
    done = [f["payload"]["processedCount"] for f in frames if f["type"] == "job_progress"]
    yield "progress never decreases and ends at the number of books", (done == sorted(done), done[-1]), (True, 40)

    async with websockets.connect(url(job)) as socket:
        late = [f["type"] for f in await collect(socket)]
    yield "after the end, a client that has been ready before receives the terminal frame and the close immediately", (late, socket.close_code), (["job_complete"], 1000)
    async with websockets.connect(url(job, "&reconnect=true")) as socket:
        late = [f["type"] for f in await collect(socket)]
    yield "a client that reconnects after the end receives the state and the end", late, ["reconnected", "job_complete"]
    async with websockets.connect(url(job, "&since=0")) as socket:
        frames = await collect(socket)
    yield "since=0 recovers every event exactly once", [f["seq"] for f in frames[1:]], list(range(1, events[-1]["seq"] + 1))
    yield "since=0 is reported as recovered", frames[0]["payload"]["recovered"], True
    async with websockets.connect(url(job, "&since=99999")) as socket:
        frames = await collect(socket)
    yield "a since in the future is not recovered", frames[0]["payload"]["recovered"], False


async def without_ready():
    await no_job_ends()
    job = await start()
    async with websockets.connect(url(job)) as socket:
        first = json.loads(await socket.recv())
    yield "a client that never sends ready is served after the timeout", first["type"], "job_started"


async def conversation():
    await no_job_ends()
    job = await start()
    async with websockets.connect(url(job)) as socket:
        await socket.send(b'{"type":"ready"}')
        ack = json.loads(await socket.recv())
        yield "ready is accepted as a binary message", ack["type"], "ready_ack"

        async def answer(message, kind):
            await socket.send(message)
            while True:
                frame = await socket.recv()
                if frame == kind or (frame.startswith("{") and json.loads(frame)["type"] == kind):
                    return frame

        pong = json.loads(await answer('{"type":"ping","payload":{"clientTime":12345}}', "pong"))
        yield "pong echoes clientTime", pong["payload"]["clientTime"], 12345
        again = json.loads(await answer('{"type":"ready"}', "ready_ack"))
        yield "a second ready is only acknowledged", again["type"], "ready_ack"
        state = json.loads(await answer('{"type":"sync_request"}', "reconnected"))
        yield "sync_request is answered with the state", state["payload"]["totalCount"], 40
        await socket.send('{"type":"no_such_type"}')
        yield "a text PING is answered with PONG", await answer("PING", "PONG"), "PONG"
        await (await socket.ping())
        yield "a PING frame is answered", True, True
    await cancel(job)


async def watchers_and_cancel():
    await no_job_ends()
    job = await start()
    sockets = [await websockets.connect(url(job)) for _ in range(3)]
    for socket in sockets:
        await socket.send('{"type":"ready"}')
        await socket.recv()
    readers = [asyncio.create_task(collect(socket)) for socket in sockets]
    await sockets[0].send('{"type":"cancel_batch"}')
    seen = [await reader for reader in readers]
    ends = [frames[-1]["payload"]["status"] for frames in seen]
    yield "every watcher receives the cancellation", ends, ["job_cancelled"] * 3
    yield "every watcher's socket is closed with 1001", [s.close_code for s in sockets], [1001] * 3
    again = await cancel(job)
    yield "cancelling again is harmless", again["status"], "cancelled"


async def bad_messages():
    await no_job_ends()
    job = await start()

    async def closed_by(*messages):
        async with websockets.connect(url(job)) as socket:
            try:
                for message in messages:
                    await socket.send(message)
                async for _ in socket:
                    pass
            except ConnectionClosed:
                pass
            return socket.close_code

    yield "a message that is not JSON closes the socket with 1002", await closed_by("hello"), 1002
    yield "a message that is not an object closes the socket with 1002", await closed_by("[1]"), 1002
    yield "a message without a type closes the socket with 1002", await closed_by('{"x":1}'), 1002
    yield "a message larger than 64 KiB closes the socket with 1009", await closed_by('{"type":"' + "x" * 70_000 + '"}'), 1009
    yield "more than 50 messages in 10 s close the socket with 1008", await closed_by(*['{"type":"pong"}'] * 60), 1008
    async with websockets.connect(url(job)) as socket:
        yield "the job and its token remain valid", socket.protocol.state.name, "OPEN"
    await cancel(job)


async def v1_dialect():
    job = await start(10)
    async with websockets.connect(url(job, "&protocol=1")) as socket:
        frames = await collect(socket)
    yield "v1 frames are flat", {tuple(sorted(f)) for f in frames}, {("data", "jobId", "timestamp", "type")}
    yield "the last v1 frame has the type complete", frames[-1]["type"], "complete"
    yield "v1 frames always contain counts", all({"processedItems", "totalItems"} <= set(f["data"]) for f in frames), True
    yield "the v1 complete frame contains the works", len(frames[-1]["data"]["enrichedWorks"]) > 5, True


async def main():
    # The parts that make providers hang come last, because they do not end this fault, and some of the other parts need jobs that end.
    parts = (upgrade_refusals, ways_to_carry_the_token, whole_life, v1_dialect, conversation, watchers_and_cancel, bad_messages)
    for part in (without_ready,) if NEVER_READY else parts:
        async for check, saw, expected in part():
            print(json.dumps({"check": check, "ok": saw == expected, "saw": str(saw)[:300]}), flush=True)


asyncio.run(asyncio.wait_for(main(), 300))
