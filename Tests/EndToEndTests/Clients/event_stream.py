"""Follows jobs by server-sent events with clients that share no code with BooksTrack, and compares them with a WebSocket (streams.md).

Usage: event_stream.py HOST:PORT ISBN-FILE CUTS, where CUTS is the number of cuts for each of five transports. Prints one JSON object per check:
{"check": ..., "ok": ..., "saw": ...}. The services run with a progress interval of 0, so every book is an event.
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


def read_events(job, last=None, limit=None):
    return read_stream(f"/v1/jobs/{job['jobId']}/events", [f"Authorization: Bearer {job['token']}"], last, limit)


async def read_stream(target, fields, last=None, limit=None):
    """One connection: yields (status, fields) first and then events, until the body ends or `limit` bytes of it have been read."""
    reader, writer = await asyncio.open_connection(HOST, int(PORT))
    try:
        lines = [f"GET {target} HTTP/1.1", f"Host: {BASE}"] + fields + ([f"Last-Event-ID: {last}"] if last is not None else [])
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
    """Records the number of the last event, and every event that is out of order or follows the end."""

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
    """Follows a job over one connection of a random length; returns whether the server reports that the client has everything."""
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
    """
    Follows a job over a WebSocket for a random number of frames; returns whether the end has arrived. Unlike a stream, a socket does not report that
    the client has everything: it sends the terminal frame again.
    """
    url = f"ws://{BASE}/ws/progress?jobId={job['jobId']}&token={job['token']}&since={follower.last}"
    async with websockets.connect(url) as socket:
        for _ in range(RANDOM.randrange(8)):
            follower.take(json.loads(await socket.recv()))
            if follower.ended:
                return True
        socket.transport.abort()
    return False


class Followers:
    """Records the events of several jobs on one stream, and the position to continue from."""

    def __init__(self, jobs):
        self.jobs = {job["jobId"]: Follower() for job in jobs}
        self.last = ",".join(f"{job}=0" for job in self.jobs)

    @property
    def faults(self):
        return [fault for job in self.jobs.values() for fault in job.faults]

    @property
    def ended(self):
        return all(job.ended for job in self.jobs.values())


async def cut_combined(jobs, followers):
    """Follows all jobs over one stream of a random length; returns whether the server reports that the client has everything."""
    target = "/v1/events?" + "&".join(f"job={job['jobId']}:{job['token']}" for job in jobs)
    status = None
    async for item in read_stream(target, [], last=followers.last, limit=RANDOM.randrange(18_000)):
        if status is None:
            status = item[0]
            continue
        kind, number, data = item
        frame = json.loads(data)
        follower = followers.jobs[frame["jobId"]]
        if kind == "unwatched":
            if not follower.ended:
                followers.jobs[frame["jobId"]].faults.append("unwatched before the end")
            continue
        follower.take(frame)
        followers.last = number
    return status == 204


async def cut_jobs_socket(jobs, followers):
    """Follows the jobs whose ends have not arrived over one WebSocket for a random number of frames; returns whether all ends have arrived."""
    wanted = [job | {"since": followers.jobs[job["jobId"]].last} for job in jobs if not followers.jobs[job["jobId"]].ended]
    async with websockets.connect(f"ws://{BASE}/ws/jobs") as socket:
        members = ("jobId", "token", "since")
        await socket.send(json.dumps({"type": "watch", "jobs": [{name: job[name] for name in members} for job in wanted]}))
        watched = set()
        for _ in range(RANDOM.randrange(24)):
            frame = json.loads(await socket.recv())
            follower = followers.jobs[frame["jobId"]]
            if frame["type"] == "watched":
                watched.add(frame["jobId"])
            elif frame["jobId"] not in watched:
                follower.faults.append("a frame arrived before the job was watched")
            elif frame["type"] == "unwatched":
                follower.faults += [] if follower.ended else ["unwatched before the end"]
            else:
                follower.take(frame)
            if followers.ended:
                return True
        socket.transport.abort()
    return False


async def cuts(name, connect, jobs, count, followed=lambda _: Follower()):
    """Follows jobs from their first events to their ends, repeatedly, until at least `count` connections have been opened."""
    done, faults = 0, []
    while done < count:
        follower, over = followed(jobs), False
        while not over:
            over = await connect(jobs, follower)
            done += 1
        faults += follower.faults + ([] if follower.ended else ["no end"])
    report(f"{name}: each event arrives once and in order over {count} cuts", faults, [])


async def poll_once(job, tag, patience):
    """Sends one poll; returns the state and its tag, or cuts the connection after `patience` seconds without a response and returns None."""
    reader, writer = await asyncio.open_connection(HOST, int(PORT))
    try:
        lines = [f"GET /v1/jobs/{job['jobId']}?wait=10 HTTP/1.1", f"Host: {BASE}", "Connection: close"]
        lines += [f"Authorization: Bearer {job['token']}"] + ([f"If-None-Match: {tag}"] if tag else [])
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        answer = await asyncio.wait_for(reader.read(), patience)
    except TimeoutError:
        return None
    finally:
        writer.transport.abort()
    head, _, body = answer.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200 "):
        raise AssertionError(f"a poll returned {answer[:500]!r}")
    tag = next(line.split(": ", 1)[1] for line in head.decode().split("\r\n") if line.lower().startswith("etag: "))
    return json.loads(body)["data"], tag


class PolledJob:
    """Records the newest state of a job, and every state that is not newer than the one before."""

    def __init__(self):
        self.last, self.processed, self.faults, self.cut, self.status = 0, 0, [], 0, ""

    async def follow(self, job):
        """Polls to the end over connections that are cut while they wait."""
        tag = ""
        while self.status != "completed":
            # The patience is usually too short for the next event.
            answer = await poll_once(job, tag, RANDOM.random() * RANDOM.choice((0.02, 0.02, 0.02, 2)))
            if answer is None:
                self.cut += 1
                continue
            state, tag = answer
            if state["lastSeq"] <= self.last or state["processedCount"] < self.processed:
                self.faults.append((self.last, self.processed, state["lastSeq"], state["processedCount"]))
            self.last, self.processed, self.status = state["lastSeq"], state["processedCount"], state["status"]


async def cut_polls(count):
    """Polls running jobs until `count` connections have been cut. Each job's last state must be that of its last event."""
    cut, faults, ends = 0, [], []
    while cut < count:
        job = await asyncio.to_thread(start, 100)
        polls = [PolledJob() for _ in range(min(16, count // 10 + 1))]
        await asyncio.gather(*[poll.follow(job) for poll in polls])
        ended = int([item async for item in read_events(job)][-1][1])
        cut += sum(poll.cut for poll in polls)
        faults += [fault for poll in polls for fault in poll.faults]
        ends += [poll.last for poll in polls if poll.last != ended]
    report(f"polling: each state is newer than the one before over {count} cuts", faults, [])
    report("polling: the last state is that of the last event, however often waiting connections are cut", ends, [])


async def as_apps_read(job_id):
    """Follows a job without a token, as shipped apps do, and checks the events."""
    names, numbers = [], []
    # The books are cached, so the job may end before the client connects. A stream that continues after event 0 contains every event even then.
    position = {"Last-Event-ID": "0"}
    url = f"http://{BASE}/api/v2/imports/{job_id}/stream"
    async with httpx.AsyncClient(timeout=30) as client:
        async with httpx_sse.aconnect_sse(client, "GET", url, headers=position) as source:
            async for event in source.aiter_sse():
                if not event.data:
                    continue
                names.append(event.event)
                numbers.append(int(event.id))
                last = event.json()
    report("an app receives progress and the end", sorted(set(names)), ["enrichment.completed", "enrichment.progress"])
    report("an app receives each event once and in order", numbers, list(range(1, len(numbers) + 1)))
    report("an app receives the URL of the results", last["data"]["resultsUrl"], f"/v1/enrichment/results/{job_id}")


async def poll(job):
    """Polls until the job has completed, each time for a state newer than the last one; returns the states in order."""
    states, fields = [], {"Authorization": f"Bearer {job['token']}"}
    async with httpx.AsyncClient(timeout=30) as client:
        while not states or states[-1]["status"] != "completed":
            answer = await client.get(f"http://{BASE}/v1/jobs/{job['jobId']}?wait=10", headers=fields)
            if answer.status_code == 200:
                fields["If-None-Match"] = answer.headers["etag"]
                states.append(answer.json()["data"])
    return states


async def same_frames(job):
    """Checks that while a job runs, the transports deliver the same bytes, and polling returns the same numbers and counts."""

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
    report("both transports deliver the same frames", [n for n in common if stream[n] != socket[n]], [])
    # A first connection begins with the start and the newest progress, or with the end if the job is already over, so earlier events may be missing.
    live = max(sorted(frames)[min(1, len(frames) - 1)] for frames in (stream, socket))
    report("both transports deliver every event", [n for n in stream if n >= live], [n for n in socket if n >= live])
    numbers = [state["lastSeq"] for state in states]
    report("each polled state is newer than the one before", numbers == sorted(set(numbers)))
    report("the last polled state is that of the last event", numbers[-1], max(stream))
    told = {number: json.loads(frame)["payload"].get("processedCount") for number, frame in stream.items()}
    wrong = [s["lastSeq"] for s in states if told.get(s["lastSeq"]) not in (None, s["processedCount"])]
    report("a polled state has the counts of its event", wrong, [])


async def ends(job):
    events = [item async for item in read_events(job)]
    report("the stream of a job that has ended delivers the end immediately", [item[0] for item in events[1:]], ["job_complete"])
    last = int(events[-1][1])
    again = [item async for item in read_events(job, last=last)]
    report("no event follows the end", [again[0][0], len(again)], [204, 1])
    replay = [item async for item in read_events(job, last=last - 2)]
    report("the response states the position from which the stream continues", replay[0][1]["last-event-id"], str(last - 2))
    report("a stream that starts after an event delivers all later events", [int(item[1]) for item in replay[1:]], [last - 2, last - 1, last])
    other = await read_with_httpx(job)
    report("httpx-sse reads the same types and numbers", [event[:2] for event in other], [(i[0], i[1]) for i in replay[1:]])
    report("httpx-sse reads the same end", other[-1][2], replay[-1][2])
    unknown = [item async for item in read_events(job, last=last + 7)]
    report("a stream after an unknown event delivers the state and the end", [item[0] for item in unknown[1:]], ["reconnected", "job_complete"])
    whole = [json.loads(item[2]) async for item in read_events(job, last=0) if len(item) == 3]
    replayed = [outline(frame) for frame in whole if is_event(frame)]
    report("the socket replays the same numbers, types and counts", await replay_by_socket(job), replayed)
    seen = [number for number, _, _ in replayed]
    report("a replay contains every event", seen, list(range(1, last + 1)))
    state = (await poll(job))[-1]
    report("the last poll contains the final counts", state["processedCount"], whole[-1]["payload"]["totalProcessed"])


def outline(frame):
    return frame["seq"], frame["type"], frame["payload"].get("processedCount")


async def replay_by_socket(job):
    """The events that a socket replays for a job that has ended."""
    url = f"ws://{BASE}/ws/progress?jobId={job['jobId']}&token={job['token']}&since=0"
    async with websockets.connect(url) as socket:
        frames = [json.loads(message) async for message in socket]
    return [outline(frame) for frame in frames if is_event(frame)]


async def read_with_httpx(job):
    """Reads the state and the last two events with httpx-sse; the token and the position to continue from are in the query."""
    newest = [item async for item in read_events(job)][-1]
    query = {"token": job["token"], "since": int(newest[1]) - 2}
    async with httpx.AsyncClient(timeout=30) as client:
        url = f"http://{BASE}/v1/jobs/{job['jobId']}/events"
        async with httpx_sse.aconnect_sse(client, "GET", url, params=query) as source:
            return [(event.event, event.id, event.data) async for event in source.aiter_sse()]


async def main():
    await same_frames(await asyncio.to_thread(start, 60))
    job_id = str(uuid.uuid4())
    await asyncio.to_thread(start, 60, job_id)
    await as_apps_read(job_id)
    job = await asyncio.to_thread(start, 200)
    jobs = [await asyncio.to_thread(start, 60) for _ in range(3)]
    # Run concurrently, so the transports are cut at the same time.
    await asyncio.gather(
        cut_polls(CUTS),
        *[cuts("event stream", cut_stream, job, CUTS // 4) for _ in range(4)],
        *[cuts("WebSocket", cut_socket, job, CUTS // 4) for _ in range(4)],
        *[cuts("stream of three jobs", cut_combined, jobs, CUTS // 4, Followers) for _ in range(4)],
        *[cuts("WebSocket of three jobs", cut_jobs_socket, jobs, CUTS // 4, Followers) for _ in range(4)])
    await ends(job)


asyncio.run(asyncio.wait_for(main(), 300 + CUTS // 5))
