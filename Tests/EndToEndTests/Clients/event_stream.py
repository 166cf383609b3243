"""Follows jobs by server-sent events with clients that share no code with ours, and compares what they see with a WebSocket (streams.md).

Usage: event_stream.py HOST:PORT ISBN-FILE CUTS. Prints one JSON object per check: {"check": ..., "ok": ..., "saw": ...}.
The services run with a progress interval of 0, so that every book is an event.
"""
import asyncio
import json
import random
import sys
import urllib.request
import uuid

import httpx
import httpx_sse
import websockets

BASE, LIST, CUTS = sys.argv[1], sys.argv[2], int(sys.argv[3])
HOST, PORT = BASE.split(":")
ISBNS = [line.split("#")[0].strip() for line in open(LIST, encoding="utf-8")]
ISBNS = [isbn for isbn in ISBNS if isbn and '"' not in isbn]
RANDOM = random.Random(16)


def report(check, saw, expected=True):
    print(json.dumps({"check": check, "ok": saw == expected, "saw": repr(saw)[:300]}), flush=True)


def start(count, job_id=None):
    body = {"isbns": (ISBNS * (count // len(ISBNS) + 1))[:count]} | ({"jobId": job_id} if job_id else {})
    body = json.dumps(body).encode()
    request = urllib.request.Request(f"http://{BASE}/v1/enrichment/batch", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["data"]


class EventParser:
    """The algorithm of the HTML standard, §9.2.6, for whole lines that end in LF."""

    def __init__(self):
        self.rest = b""
        self.fields = {"data": []}

    def feed(self, received):
        self.rest += received
        while b"\n" in self.rest:
            line, self.rest = self.rest.split(b"\n", 1)
            if line == b"":
                event, self.fields = self.fields, {"data": []}
                if event["data"]:
                    yield event.get("event", "message"), event.get("id"), "\n".join(event["data"])
                continue
            name, _, value = line.decode().partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                self.fields["data"].append(value)
            elif name in ("event", "id", "retry"):
                self.fields[name] = value


async def read_events(job, last=None, limit=None, query=""):
    """One connection: yields (status, fields) first and then events, until the body ends or `limit` bytes of it are read."""
    reader, writer = await asyncio.open_connection(HOST, int(PORT))
    try:
        lines = [f"GET /v1/jobs/{job['jobId']}/events{query} HTTP/1.1", f"Host: {BASE}"]
        lines += [f"Authorization: Bearer {job['token']}"] + ([f"Last-Event-ID: {last}"] if last is not None else [])
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        yield int(head[0].split()[1]), fields
        if fields.get("transfer-encoding") != "chunked":
            return
        parser = EventParser()
        while size := int((await reader.readuntil(b"\r\n")).strip(), 16):
            chunk = (await reader.readexactly(size + 2))[:-2]
            if limit is not None:
                chunk, limit = chunk[:limit], limit - len(chunk)
            for event in parser.feed(chunk):
                yield event
            if limit is not None and limit <= 0:
                return
    finally:
        # An abort, which gives the server no warning.
        writer.transport.abort()


def is_event(frame):
    return frame["type"].startswith(("job_", "error")) and not frame["payload"].get("keepAlive")


class Follower:
    """Notes events by number, and whatever breaks the order."""

    def __init__(self):
        self.last, self.faults, self.ended = 0, [], False

    def take(self, frame):
        if not is_event(frame):
            return
        if frame["seq"] != self.last + 1 or self.ended:
            self.faults.append((self.last, frame["seq"]))
        self.last = frame["seq"]
        self.ended = frame["type"] in ("job_complete", "error")


async def cut_stream(job, follower):
    """One connection of a random length. True when the server says that everything was seen."""
    status = None
    async for item in read_events(job, last=follower.last, limit=RANDOM.randrange(6_000)):
        if status is None:
            status = item[0]
            continue
        kind, number, data = item
        frame = json.loads(data)
        if int(number) != frame["seq"]:
            follower.faults.append((number, frame["seq"]))
        follower.take(frame)
    return status == 204


async def cut_socket(job, follower):
    """The same by WebSocket, which sends the terminal frame again to a client that names it."""
    url = f"ws://{BASE}/ws/progress?jobId={job['jobId']}&token={job['token']}&since={follower.last}"
    async with websockets.connect(url) as socket:
        for _ in range(RANDOM.randrange(8)):
            follower.take(json.loads(await socket.recv()))
            if follower.ended:
                return True
        socket.transport.abort()
    return False


async def cuts(name, connect, job, count):
    """Follows a job from its first event, time and again, until the connections were cut so often."""
    done, faults = 0, []
    while done < count:
        follower, over = Follower(), False
        while not over:
            over = await connect(job, follower)
            done += 1
        faults += follower.faults + ([] if follower.ended else ["no end"])
    report(f"{name}: each event once and in order over {count} cuts", faults, [])


async def cut_polls(job):
    """Polls a job to its end over connections that are cut while they wait, and notes states that are not newer."""
    last, over, cut, faults = 0, False, 0, []
    tag = ""
    while not over:
        reader, writer = await asyncio.open_connection(HOST, int(PORT))
        lines = [f"GET /v1/jobs/{job['jobId']}?wait=10 HTTP/1.1", f"Host: {BASE}", "Connection: close"]
        lines += [f"Authorization: Bearer {job['token']}"] + ([f"If-None-Match: {tag}"] if tag else [])
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        try:
            answer = await asyncio.wait_for(reader.read(), RANDOM.random() * 0.2)
        except TimeoutError:
            cut += 1
            continue
        finally:
            writer.transport.abort()
        head, _, body = answer.partition(b"\r\n\r\n")
        state = json.loads(body)["data"]
        if state["lastSeq"] <= last:
            faults.append((last, state["lastSeq"]))
        last, over = state["lastSeq"], state["status"] == "completed"
        tag = next(line.split(": ", 1)[1] for line in head.decode().split("\r\n") if line.lower().startswith("etag: "))
    report("polling: each state is newer than the one before, however often waiting is cut", faults, [])
    report("polling: some waiting was cut", cut > 0)


async def as_apps_read(job_id):
    """What shipped apps get, without a token."""
    names, numbers = [], []
    async with httpx.AsyncClient(timeout=30) as client:
        async with httpx_sse.aconnect_sse(client, "GET", f"http://{BASE}/api/v2/imports/{job_id}/stream") as source:
            async for event in source.aiter_sse():
                if not event.data:
                    continue
                names.append(event.event)
                numbers.append(int(event.id))
                last = event.json()
    report("an app reads progress and the end", sorted(set(names)), ["enrichment.completed", "enrichment.progress"])
    report("an app reads each event once and in order", numbers, sorted(set(numbers)))
    report("an app learns where the results are", last["data"]["resultsUrl"], f"/v1/enrichment/results/{job_id}")


async def poll(job):
    """Asks for the state until the job is over, each time for one that it does not have; the states in their order."""
    states, fields = [], {"Authorization": f"Bearer {job['token']}"}
    async with httpx.AsyncClient(timeout=30) as client:
        while not states or states[-1]["status"] != "completed":
            answer = await client.get(f"http://{BASE}/v1/jobs/{job['jobId']}?wait=10", headers=fields)
            if answer.status_code == 200:
                fields["If-None-Match"] = answer.headers["etag"]
                states.append(answer.json()["data"])
    return states


async def same_frames(job):
    """Live, the transports bring the same bytes, and polling the same numbers and counts."""

    async def by_stream():
        frames = {}
        async for item in read_events(job):
            if len(item) == 3 and is_event(json.loads(item[2])):
                frames[int(item[1])] = item[2]
        return frames

    async def by_socket():
        frames = {}
        async with websockets.connect(f"ws://{BASE}/ws/progress?jobId={job['jobId']}&token={job['token']}") as socket:
            await socket.send('{"type":"ready"}')
            async for message in socket:
                if is_event(json.loads(message)):
                    frames[json.loads(message)["seq"]] = message
        return frames

    stream, socket, states = await asyncio.gather(by_stream(), by_socket(), poll(job))
    common = stream.keys() & socket.keys()
    report("both transports bring the same frames", [n for n in common if stream[n] != socket[n]], [])
    # A first connection begins with the start and the newest progress.
    live = max(sorted(stream)[1], sorted(socket)[1])
    report("both transports bring every event", [n for n in stream if n >= live], [n for n in socket if n >= live])
    numbers = [state["lastSeq"] for state in states]
    report("each polled state is newer than the one before", numbers == sorted(set(numbers)))
    report("the last polled state is that of the last event", numbers[-1], max(stream))
    told = {number: json.loads(frame)["payload"].get("processedCount") for number, frame in stream.items()}
    wrong = [s["lastSeq"] for s in states if told.get(s["lastSeq"]) not in (None, s["processedCount"])]
    report("a polled state has the counts of its event", wrong, [])


async def ends(job):
    events = [item async for item in read_events(job)]
    report("a job that is over gives its end at once", [item[0] for item in events[1:]], ["job_complete"])
    last = int(events[-1][1])
    again = [item async for item in read_events(job, last=last)]
    report("after the end there is nothing", [again[0][0], len(again)], [204, 1])
    replay = [item async for item in read_events(job, last=last - 2)]
    report("the answer says from where it continues", replay[0][1]["last-event-id"], str(last - 2))
    report("what follows a number is all that came after it", [int(item[1]) for item in replay[1:]], [last - 2, last - 1, last])
    other = await read_with_httpx(job)
    report("httpx-sse reads the same types and numbers", [event[:2] for event in other], [(i[0], i[1]) for i in replay[1:]])
    report("httpx-sse reads the same end", other[-1][2], replay[-1][2])
    unknown = [item async for item in read_events(job, last=last + 7)]
    report("an unknown number gives the state and the end", [item[0] for item in unknown[1:]], ["reconnected", "job_complete"])


async def read_with_httpx(job):
    """The last events, with the token and the number in the query."""
    newest = [item async for item in read_events(job)][-1]
    query = {"token": job["token"], "since": int(newest[1]) - 2}
    async with httpx.AsyncClient(timeout=30) as client:
        url = f"http://{BASE}/v1/jobs/{job['jobId']}/events"
        async with httpx_sse.aconnect_sse(client, "GET", url, params=query) as source:
            return [(event.event, event.id, event.data) async for event in source.aiter_sse()]


async def main():
    await same_frames(await asyncio.to_thread(start, 60))
    job_id = str(uuid.uuid4())
    polled = await asyncio.to_thread(start, 100)
    await asyncio.to_thread(start, 60, job_id)
    await asyncio.gather(cut_polls(polled), as_apps_read(job_id))
    job = await asyncio.to_thread(start, 200)
    # Together, so that the two transports are cut at the same time.
    await asyncio.gather(
        *[cuts("event stream", cut_stream, job, CUTS // 8) for _ in range(4)],
        *[cuts("WebSocket", cut_socket, job, CUTS // 8) for _ in range(4)])
    await ends(job)


asyncio.run(asyncio.wait_for(main(), 300))
