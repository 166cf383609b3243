"""Follows jobs over event streams, directly and through proxies, and compares when each event arrives.

Usage: stream_delay.py PROXY-PORT API-PROXY-PORT EMULATOR ISBN-FILE. Fails unless both streams deliver the same events and the median delay
through the proxies is below 300 ms. The providers are slowed down, so events that a proxy buffers arrive much later than that.
"""
import json
import socket
import sys
import threading
import time
import urllib.request

PROXY, DIRECT, EMULATOR = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
FAULTS = f"{EMULATOR}/_emulator/faults"


def send(method, url, document):
    request = urllib.request.Request(url, json.dumps(document).encode(), {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def follow(port, job, arrivals):
    """Records when each event of the job arrives, and its data."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=90)
    connection.sendall(
        f"GET {job['eventsUrl']}?since=0 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {job['token']}\r\n\r\n".encode())
    with connection, connection.makefile("rb") as lines:
        number = None
        for line in lines:
            if line.startswith(b"id: "):
                number = int(line[4:])
            elif line.startswith(b"data: "):
                # The first one, `reconnected`, is not an event of the job.
                if number > 0:
                    arrivals[number] = (time.monotonic(), line)
            elif line.strip() == b"0":
                return


isbns = [text for line in open(sys.argv[4], encoding="utf-8") if (text := line.split("#")[0].strip())]
send("PUT", FAULTS, [{"kind": "slow", "milliseconds": 1200}])
delays = []
for part in range(4):
    body = {"isbns": isbns[part::4]}
    job = json.loads(send("POST", f"http://127.0.0.1:{DIRECT}/v1/enrichment/batch", body))["data"]
    direct, passed = {}, {}
    threads = [threading.Thread(target=follow, args=(port, job, seen)) for port, seen in ((DIRECT, direct), (PROXY, passed))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {n: line for n, (_, line) in direct.items()} == {n: line for n, (_, line) in passed.items()}, (list(direct), list(passed))
    assert b'"job_complete"' in direct[max(direct)][1], direct[max(direct)]
    delays += [passed[number][0] - direct[number][0] for number in direct]
send("DELETE", FAULTS, None)
delays.sort()
print(f"{len(delays)} events, median delay {delays[len(delays) // 2] * 1000:.1f} ms, maximum {delays[-1] * 1000:.1f} ms")
assert delays[len(delays) // 2] < 0.3
