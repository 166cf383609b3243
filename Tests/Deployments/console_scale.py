"""Measures how long the console takes with many jobs: `Tests/Deployments/console --jobs NUMBER`. The jobs are written into the database directly.

Prints the median and the slowest time of each request, the time until a reloaded list is shown, and how long it takes to start a job with and
without an operator who lists and searches continuously."""

import json
import os
import re
import sqlite3
import statistics
import sys
import threading
import time
import urllib.request

import page_test
from playwright.sync_api import sync_playwright

URL, ADMIN, TOKEN, WORK = (os.environ[f"BOOKSTRACK_{name}"] for name in ("URL", "ADMIN_URL", "CONSOLE_TOKEN", "WORK"))
PLACES = 1 << 20
BOOKS = 3


def fill(count):
    page_test.stop("progress-host")
    database = sqlite3.connect(f"{WORK}/data/jobs.sqlite")
    now = int(time.time() * 1000)
    first = (database.execute("SELECT max(number) FROM job").fetchone()[0] or 0) + 1
    statuses, pipelines = ["completed", "completed", "completed", "failed", "cancelled"], ["batch_enrichment", "batch_enrichment", "csv_import", "ai_scan"]
    jobs = ((number, f"scale-job-{number:08}", pipelines[number % 4], statuses[number % 5], "", BOOKS, now - 70 * (count - number), now, now, now + 10**9, now + 10**9,
             f"request-{number}") for number in range(first, first + count))
    with database:
        database.executemany(
            "INSERT INTO job(number, job_id, pipeline, status, digest, total, created_at, started_at, ended_at, expires_at, deadline_at, trace_id, request_id)"
            " VALUES (?,?,?,?,?,?,?,?,?,?,?,'0af7651916cd43dd8448eb211c80319c',?)", jobs)
        items = ((number * PLACES + place, 1 if place else 2, f"Title {number} of book {place}", None if place else "NOT_FOUND")
                 for number in range(first, first + count) for place in range(BOOKS))
        database.executemany("INSERT INTO item(id, state, title, error_code) VALUES (?,?,?,?)", items)
        database.execute("INSERT INTO item(id, state, title) VALUES (?, 1, 'The oldest needle')", (first * PLACES + BOOKS,))
    database.close()
    page_test.restart("progress-host", isStopped=True)


class Operator:
    def __init__(self):
        body, headers = json.dumps({"token": TOKEN}).encode(), {"Origin": ADMIN, "X-Console-CSRF": "login", "Content-Type": "application/json"}
        answer = urllib.request.urlopen(urllib.request.Request(f"{ADMIN}/console/api/login", body, headers))
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]

    def get(self, path):
        begun = time.perf_counter()
        answer = urllib.request.urlopen(urllib.request.Request(f"{ADMIN}/console/api{path}", headers={"Cookie": self.cookie}))
        data = json.load(answer)["data"]
        return 1000 * (time.perf_counter() - begun), data


def connected(operator):
    """Waits until the console's own connection to progress-host is back; readiness watches a different one."""
    deadline = time.time() + 20
    while True:
        try:
            return operator.get("/jobs?limit=1")
        except OSError:
            if time.time() > deadline:
                raise
            time.sleep(0.2)


def show(name, times):
    print(f"{name:<44} median {statistics.median(times):8.1f} ms   slowest {max(times):8.1f} ms", flush=True)


def engine_groups():
    """The number of command groups that the engine has run, by upper bound of their duration in seconds (cumulative), from its metrics."""
    text = urllib.request.urlopen(f"{ADMIN}/metrics").read().decode()
    found = re.findall(r'^bookstrack_engine_group_duration_seconds_bucket\{.*?le="([^"]+)".*?\} (\S+)$', text, re.MULTILINE)
    return {float(limit.replace("+Inf", "inf")): float(count) for limit, count in found}


def engine_p99(before, after):
    """The 99th percentile, in milliseconds, of the groups that ran between two readings, rounded up to the bound of its bucket."""
    grown = {limit: after[limit] - before.get(limit, 0) for limit in after}
    return 1000 * min(limit for limit, count in grown.items() if count >= 0.99 * grown[max(grown)])


def starts(count):
    times = []
    for number in range(count):
        body = json.dumps({"books": [{"title": f"Start {number} {time.time_ns()}"}]}).encode()
        begun = time.perf_counter()
        urllib.request.urlopen(urllib.request.Request(f"{URL}/v1/enrichment/batch", body, {"Content-Type": "application/json"})).read()
        times.append(1000 * (time.perf_counter() - begun))
    return times


def main(count):
    begun = time.time()
    fill(count)
    print(f"{count} jobs with {BOOKS} books each were written in {time.time() - begun:.0f} s")
    operator = Operator()
    connected(operator)
    for name, path in [("first page", "/jobs"), ("one state and kind", "/jobs?status=failed&pipeline=csv_import"), ("start of an identifier", "/jobs?q=scale-job-0000"),
                       ("a request identifier", f"/jobs?q=request-{count // 2}"), ("failures of the last day", f"/failures?from={int(time.time() * 1000) - 86400000}")]:
        show(name, [operator.get(path)[0] for _ in range(3 if "q=" in path or "failures" in path else 20)])
    times, cursor = [], None
    for _ in range(40):
        taken, page = operator.get("/jobs" + (f"?cursor={cursor}" if cursor else ""))
        times.append(taken)
        cursor = page["next"]
    show("40 pages, one after the other", times)
    calls, path = [], "/jobs?q=oldest%20needle"
    while True:
        taken, page = operator.get(path)
        calls.append(taken)
        if not page["partial"]:
            break
        path = f"/jobs?q=oldest%20needle&cursor={page['next']}"
    show(f"a title in the oldest job, {len(calls)} calls", calls)
    assert [job["jobId"] for job in page["jobs"]] == ["scale-job-" + page["jobs"][0]["jobId"][-8:]], page
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{ADMIN}/#jobs")
        page.fill("#token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector("tbody tr")
        paints = []
        for _ in range(5):
            page.reload()
            page.wait_for_selector("tbody tr")
            paints.append(page.evaluate("performance.now()"))
        show("the list of jobs in a browser, after a reload", paints)
        browser.close()
    first = engine_groups()
    quiet = starts(300)
    second = engine_groups()
    isOver = threading.Event()

    def look():
        while not isOver.is_set():
            operator.get("/jobs")
            operator.get("/jobs?q=never%20there")

    looking = threading.Thread(target=look)
    looking.start()
    busy = starts(300)
    third = engine_groups()
    isOver.set()
    looking.join()
    rows = (
        ("job starts alone", quiet, engine_p99(first, second)),
        ("job starts with an active operator", busy, engine_p99(second, third)),
    )
    for name, times, p99 in rows:
        print(f"{name:<44} p50 {statistics.median(times):8.1f} ms   p99 {sorted(times)[296]:12.1f} ms   the engine's p99 at most {p99:.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]))
