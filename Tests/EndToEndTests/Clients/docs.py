"""Walks through /docs in headless Chromium as a newcomer does: starts a job, watches it, reads its results, searches for an operation, and
opens one with the keyboard. Uses the browser's own protocol (https://chromedevtools.github.io/devtools-protocol/).

Usage: docs.py CHROMIUM HOST:PORT DIRECTORY. The browser keeps its profile in DIRECTORY. Prints one JSON object per check: {"check": ...,
"ok": ..., "saw": ...}.
"""
import json
import re
import subprocess
import sys
import time

from websockets.sync.client import connect

COMPLAINTS = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Audits.issueAdded")
CHROMIUM, BASE, DIRECTORY = sys.argv[1], f"http://{sys.argv[2]}", sys.argv[3]


def check(name, ok, saw=""):
    print(json.dumps({"check": name, "ok": bool(ok), "saw": "" if ok else str(saw)[:500]}), flush=True)


class Page:
    """A browser page and its errors."""

    def __init__(self, socket):
        self.socket, self.session, self.number, self.complaints = socket, None, 0, []
        target = self.say("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.say("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Audits"):
            self.say(f"{domain}.enable")

    def say(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({
            "id": self.number, "method": method, "params": parameters, **({"sessionId": self.session} if self.session else {})}))
        while True:
            message = json.loads(self.socket.recv(timeout=20))
            if message.get("id") == self.number:
                return message["result"]
            # Ignores the browser's reports of history entries that are added without a user's gesture; this script's clicks add some.
            if message.get("method") in COMPLAINTS and "NavigationEntryMarkedSkippable" not in (params := json.dumps(message["params"])):
                self.complaints.append(params)

    def value(self, script):
        """Returns the value of a script; promises are awaited."""
        result = self.say("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        return result["result"].get("value", result)

    def until(self, script, seconds=60):
        """Repeats a script until its value is true, for at most `seconds`; returns the last value."""
        end = time.monotonic() + seconds
        while not (seen := self.value(script)) and time.monotonic() < end:
            time.sleep(0.05)
        return seen

    def press(self, key, code, text=""):
        for kind in ("keyDown", "keyUp"):
            self.say("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code,
                     **({"text": text} if text and kind == "keyDown" else {}))


def click(selector):
    return f"document.querySelector({json.dumps(selector)}).click()"


def text(selector):
    return f"document.querySelector({json.dumps(selector)})?.textContent ?? ''"


# Follows the stored job with the browser's own EventSource until it stops reconnecting.
EVENT_SOURCE = """new Promise((done) => {
    const value = (name) => document.getElementById(name).value;
    const source = new EventSource(`/v1/jobs/${value("job")}/events?token=${value("token")}`);
    const seen = [];
    for (const type of ["job_started", "job_progress", "job_complete", "job_error"]) {
        source.addEventListener(type, (event) => seen.push([type, event.lastEventId === String(JSON.parse(event.data).seq)]));
    }
    source.onerror = () => { if (source.readyState === EventSource.CLOSED) done(seen); };
})"""


def walk(page):
    page.say("Page.navigate", url=BASE + "/docs")
    check("the documentation is loaded", page.until("document.readyState === 'complete' && location.pathname === '/docs'"))
    check("the page shows operations", page.until("document.querySelectorAll('details.operation').length > 20"))
    paths = page.value("[...document.querySelectorAll('details.operation .path')].map((path) => path.textContent)")
    check("the operation that starts a job comes first", paths[:2] == ["/v1/enrichment/batch", "/ws/progress"], paths)
    check("health comes before the descriptions of the API", paths.index("/health") < paths.index("/asyncapi.json"), paths)
    check("no backticks are left", "`" not in page.value("document.body.innerText"))

    page.value(click("#steps li:nth-child(1) a"))
    check("the first step opens the operation that starts a job", page.until("document.getElementById('startBatch')?.open"))
    page.until("document.querySelector('#startBatch form')")
    page.value(click("#startBatch button[type=submit]"))
    check("a body is shown in a monospace font", "monospace" in page.value(
        "getComputedStyle(document.querySelector('#startBatch textarea')).fontFamily"))
    check("the sample body starts a job", "202" in (page.until(text("#startBatch .good")) or ""))
    check("the job's identifier is stored", page.until("document.getElementById('job').value.length > 8"))
    check("the job's token is stored", page.value("document.getElementById('token').value.length") > 8)
    page.value(click("#steps li:nth-child(2) a"))
    page.value(click("#socket button[type=submit]"))
    check("the socket shows the end of the job", page.until("document.getElementById('log').textContent.includes('job_complete')"),
          page.value(text("#log")))
    lines = page.value("[...document.querySelectorAll('#log summary')].map((line) => line.textContent)")
    seen = page.value(EVENT_SOURCE)
    check("EventSource receives the end of the job once, and does not reconnect", seen == [["job_complete", True]], seen)
    check("a frame is one short line until it is opened", lines and max(map(len, lines)) < 200, lines)
    page.value(click("#steps li:nth-child(3) a"))
    page.until("document.querySelector('#readResults form')")
    page.value(click("#readResults button[type=submit]"))
    check("the results of the stored job are read", page.until(text("#readResults div[aria-live] .good")))
    check("the results are shown", "enrichedBooks" in (page.until(text("#readResults div[aria-live] > pre")) or ""))

    page.value("Object.assign(document.getElementById('filter'), { value: 'xyzzy' }).dispatchEvent(new Event('input'))")
    check("a search without results reports this", page.value("!document.getElementById('nothing').hidden"))
    visible = "[...document.querySelectorAll('main section')].filter((group) => group.checkVisibility()).length"
    check("a search without results leaves no empty group", page.value(visible) == 0)
    page.value("Object.assign(document.getElementById('filter'), { value: 'cover' }).dispatchEvent(new Event('input'))")
    check("a search shows only the groups with results", page.value(visible) == 1)
    page.value("Object.assign(document.getElementById('filter'), { value: '' }).dispatchEvent(new Event('input'))")

    page.value("document.querySelector('#searchByISBN summary').focus()")
    page.press("Enter", 13, "\r")
    check("Enter opens an operation", page.until("document.querySelector('#searchByISBN[open] form') !== null"))
    page.press("Tab", 9)
    check("Tab moves to the operation's first field", page.until("document.activeElement.name === 'isbn'"))
    page.press("Enter", 13, "\r")
    check("Enter in a field sends the request", "200" in (page.until(text("#searchByISBN div[aria-live] .good")) or ""))
    for width in (320, 768, 1440):
        page.say("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        wide = page.value("document.documentElement.scrollWidth")
        check(f"nothing is wider than {width} pixels", wide <= width, wide)
    check("the browser reports no problems", not page.complaints, page.complaints)


browser = subprocess.Popen(
    [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
     "--remote-debugging-port=0", f"--user-data-dir={DIRECTORY}", "about:blank"],
    stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
try:
    address = next(found[1] for line in browser.stderr if (found := re.search(r"DevTools listening on (ws://\S+)", line)))
    with connect(address, max_size=None, compression=None) as socket:
        walk(Page(socket))
finally:
    browser.kill()
    browser.wait()
