"""The readers' page in headless Chromium; see Tests/Deployments/page, which starts the suite and runs this."""

import glob
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
import traceback
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

URL = os.environ["BOOKSTRACK_URL"]
EMULATOR = os.environ["BOOKSTRACK_EMULATOR"]
WORK = os.environ["BOOKSTRACK_WORK"]
BIN = os.environ["BOOKSTRACK_BIN"]
SAMPLE = "deploy/sample/goodreads_library_export.csv"
PICTURES = sys.argv[2] if sys.argv[1:2] == ["--pictures"] else None
# How long a condition may take to become true, in seconds. Only a failed check takes that long, even on a slow machine that runs other tests, too.
PATIENCE = 120

# Each text would run a script if it became markup, script source or an address.
XSS = [
    "<script>window.hit=1</script>",
    "<img src=x onerror=window.hit=1>",
    "\"><svg onload=window.hit=1>",
    "';window.hit=1;//",
    "javascript:window.hit=1",
    "</title></textarea><iframe srcdoc='<script>parent.hit=1</script>'>",
    "{{constructor.constructor('window.hit=1')()}}",
    "&lt;img src=x onerror=window.hit=1&gt;",
]

# Records security policy violations in every tab.
WITNESS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => violations.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


class Rig:
    def __init__(self, browser):
        self.browser = browser
        self.faults = []
        self.pages = []
        # A pattern for errors that the check causes on purpose; Chromium reports failed requests as errors.
        self.expected = None

    def context(self, width=1280, height=900, **options):
        context = self.browser.new_context(viewport={"width": width, "height": height}, accept_downloads=True, **options)
        context.set_default_timeout(PATIENCE * 1000)
        context.add_init_script(WITNESS)
        return context

    def open(self, context, address="/", base=URL):
        page = context.new_page()
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("console", self.remark)
        self.pages.append(page)
        page.goto(base + address)
        page.wait_for_selector("main > section:not([hidden])")
        return page

    def remark(self, message):
        if message.type in ("error", "warning") and not (self.expected and re.search(self.expected, message.text)):
            self.faults.append(f"{message.type}: {message.text}")

    def settled(self):
        for page in self.pages:
            if not page.is_closed():
                self.faults += page.evaluate("window.violations")
                assert page.evaluate("window.hit") is None, "a script in the data ran"
        faults, self.faults, self.expected = self.faults, [], None
        assert faults == [], faults


def serious(page, where):
    found = Axe().run(page).response["violations"]
    found = [f"{where}: {one['id']} {one['nodes'][0]['html'][:120]}" for one in found if one["impact"] in ("serious", "critical")]
    assert found == [], found


def faults(rules):
    request = urllib.request.Request(f"{EMULATOR}/_emulator/faults", json.dumps(rules).encode(), method="PUT")
    urllib.request.urlopen(request).read()


def isbns(count):
    return subprocess.run([f"{BIN}/provider-emulator", "isbns", "--synthetic", str(count)], capture_output=True, text=True, check=True).stdout.split()


def process(name):
    """The pid of a service, started by the script or by this process."""
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/stat") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
            if parent in (os.getppid(), os.getpid()) and os.readlink(f"/proc/{entry}/exe") == os.path.realpath(f"{BIN}/{name}"):
                return int(entry)
        except (OSError, ValueError, IndexError):
            continue
    raise AssertionError(f"{name} is not running")


started = []


def stop(name):
    pid = process(name)
    os.kill(pid, signal.SIGTERM)
    for child in started:
        if child.pid == pid:
            child.wait(PATIENCE)
    try:
        while "Z" != open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]:
            time.sleep(0.05)
    except OSError:
        # The process is gone.
        pass


def restart(name, isStopped=False, **settings):
    if not isStopped:
        stop(name)
    with open(f"{WORK}/{name}.log", "a") as log:
        started.append(subprocess.Popen([f"{BIN}/{name}"], stdout=log, stderr=log, env={**os.environ, **settings}))
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if json.load(urllib.request.urlopen(f"{URL}/health/ready", timeout=10))["status"] == "ready":
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError(f"not ready after the restart of {name}")


def photo(browser, height=800):
    """A drawn shelf whose spines are where the emulated model finds them."""
    page = browser.new_page(viewport={"width": 1200, "height": height})
    spines = [("The Great Gatsby", 11, 33, 14, "#7a2f2f"), ("Jane Eyre", 34.5, 58, 9, "#2f5570"), ("A Tale of Two Cities", 59.5, 88, 17, "#4a6440"),
              ("", 3, 10, 12, "#8a6d3b"), ("", 89, 96, 15, "#51406b")]
    drawn = "".join(f"<p style='left:{left}%;width:{right - left}%;top:{top}%;background:{shade}'>{title}</p>" for title, left, right, top, shade in spines)
    page.set_content("<style>body{margin:0;height:100vh;background:linear-gradient(#d9cbb4 90%,#8a6238 90%)}p{position:absolute;margin:0;"
                     "bottom:10%;color:#fff2dc;font:600 54px serif;writing-mode:vertical-rl;display:grid;place-items:center;"
                     "box-shadow:inset 16px 0 20px #0005,inset -12px 0 16px #0003;border-radius:6px}</style>" + drawn)
    path = f"{WORK}/shelf.jpg"
    page.screenshot(path=path, type="jpeg", quality=80)
    page.close()
    return path


def write(name, text):
    path = f"{WORK}/{name}"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def finished(page, state="done"):
    page.wait_for_selector(f"#job .status.is-{state}", timeout=3 * PATIENCE * 1000)


def wait_until(page, holds):
    """Waits until `holds()` is true. Later attempts of Playwright's `wait_for_function` use an `eval` that the page's security policy refuses."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "the condition did not become true in time"
        page.wait_for_timeout(100)


def watch(page):
    """Returns two lists of addresses that change with the page's requests: of all requests, and of those in progress except streams."""
    sent, pending = [], []

    def begin(request):
        # An image in the page's memory is not requested from the service.
        if not request.url.startswith("blob:"):
            sent.append(request.url)
            pending.extend([] if re.search(r"/events\?|/tail\?", request.url) else [request.url])

    def end(request):
        if request.url in pending:
            pending.remove(request.url)

    page.on("request", begin)
    page.on("requestfinished", end)
    page.on("requestfailed", end)
    return sent, pending


def await_rest(page, pending):
    """Waits, for at most 20 s, until no request has been in progress for a second; after a response, a tab may have to send another request."""
    quiet, deadline = 0, time.monotonic() + 20
    while quiet < 10 and time.monotonic() < deadline:
        page.wait_for_timeout(100)
        quiet = 0 if pending else quiet + 1


UNHEARD = itertools.count(1)


def asks_all_providers(page):
    """Whether a search for a book that no provider has is answered by all of them; otherwise its metadata names those that failed."""
    # A different ISBN each time, because a complete answer is cached.
    digits = f"97800000{next(UNHEARD):04}"
    check = -sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(digits)) % 10
    response = page.request.get(f"{URL}/v1/search/isbn?isbn={digits}{check}")
    return response.ok and "providers" not in response.json()["metadata"]


def await_providers(page):
    """Waits until no circuit breaker is open: a lookup might fail because of earlier failures, and a job can be retried only once a minute."""
    wait_until(page, lambda: asks_all_providers(page))


def close_book(page):
    """Closes the book, and waits until the browser has gone back in its history; otherwise it might go back after the next navigation."""
    page.keyboard.press("Escape")
    wait_until(page, lambda: page.evaluate("!document.getElementById('book').open && !history.state?.book"))


def look_up(page, numbers):
    page.goto(f"{URL}/#home")
    page.fill("#isbn-list", "\n".join(numbers))
    page.click("#isbns button")
    page.wait_for_selector("#job:not([hidden])")


def go_home(page):
    """Opens the start page. Once it is visible, the focus no longer moves by itself."""
    page.goto(f"{URL}/#home")
    page.wait_for_selector("#home:not([hidden])")


# The distance between the left edges of a photo and of its first box, as a part of the photo's width. The element `.frame` contains both.
LEFT_OF_BOX = """(frame) => {
    const [image, box] = ["img", ".box rect"].map((part) => frame.querySelector(part).getBoundingClientRect());
    return (box.left - image.left) / image.width;
}"""


def searches(rig):
    context = rig.context()
    page = rig.open(context)
    serious(page, "start")
    page.fill("#query", "the great gatsby")
    page.keyboard.press("Enter")
    page.wait_for_selector("#results .cell")
    page.wait_for_selector("#results .cover img:not([hidden])")
    assert page.evaluate("document.activeElement.id") == "results-title"
    serious(page, "search")
    page.click("#results .cell button")
    page.wait_for_selector("#book[open] dl")
    page.wait_for_selector("#book .by:has-text('Fitzgerald')")
    page.click("#book button:has-text('Something is missing')")
    page.wait_for_selector("#book p:has-text('Thank you')")
    serious(page, "book")
    close_book(page)
    page.fill("#query", "zzqxj wvvkq")
    page.keyboard.press("Enter")
    page.wait_for_selector("#results-note.empty:has-text('No book was found')")
    context.close()


def imports(rig):
    context = rig.context()
    page = rig.open(context)
    path = write("Bücher.csv", "Werk,Wer,Nummer,Extra\n" + "\n".join(
        f"{title},{author},{isbn},x" for title, author, isbn in
        [("Dune", "Frank Herbert", "9780441172719"), ("The Hobbit", "J.R.R. Tolkien", "9780618260300"),
         ("The Great Gatsby", "F. Scott Fitzgerald", "9780743273565")]) + "\n")
    page.set_input_files("#file", path)
    page.wait_for_selector("#preview table")
    serious(page, "preview")
    page.focus("#role-3")
    with page.expect_response("**/v1/csv/preview"):
        page.select_option("#role-3", "notes")
    page.wait_for_selector("tr:has(#role-3):has-text('your choice')")
    assert page.input_value("#role-3") == "notes"
    assert page.evaluate("document.activeElement.id") == "role-3", "the menu keeps the focus"
    page.click("button:has-text('Import 3 rows')")
    page.wait_for_selector("#job .cell:has-text('Dune')")
    finished(page)
    page.wait_for_selector("#job .cover img:not([hidden])")
    serious(page, "library")
    page.click("#job summary")
    page.wait_for_selector("#job .chart:has(caption:text-is('Genres')) rect")
    assert page.inner_text("#job .chart:has(caption:text-is('First published')) th[scope=row] >> nth=0") == "1920s"
    serious(page, "insights")
    with page.expect_download() as download:
        page.click("#job button:has-text('CSV')")
    text = open(download.value.path(), encoding="utf-8").read()
    assert download.value.suggested_filename == "Bücher.csv" and "notes" in text.splitlines()[0] and "Dune" in text, text
    with page.expect_download() as download:
        page.click("#job button:has-text('JSON')")
    content = json.load(open(download.value.path(), encoding="utf-8"))
    assert len(content["books"]) == 3 and content["enrichedBooks"][0]["enriched"]["work"]["title"], content.keys()
    rig.expected = "status of 400"
    page.set_input_files("#file", write("empty.csv", "Preis,Menge\n3,4\n"), strict=False)
    page.wait_for_selector("#preview .notice:not([hidden])")
    context.close()


def scans(rig):
    context = rig.context()
    page = rig.open(context)
    page.set_input_files("#photos", photo(rig.browser))
    page.wait_for_selector("#job .picture img:not([hidden])")
    finished(page)
    page.wait_for_selector("#job .box.is-found rect")
    assert page.locator("#job .box.is-found").count() == 2 and page.locator("#job .box.is-review").count() == 1
    # The photo is drawn again with the boxes.
    page.wait_for_selector("#job .frame img:not([hidden])")
    left = page.locator("#job .frame").first.evaluate(LEFT_OF_BOX)
    assert abs(left - 0.11) < 0.01, left
    serious(page, "scan")
    if page.locator("input[type=radio]").count():
        page.locator("input[type=radio]").first.check()
    else:
        page.click("button:has-text('Approve')")
    page.wait_for_selector("#job .status:has-text('3 approved, 0 to review')")
    page.reload()
    page.wait_for_selector("#job .box.is-found rect")
    assert page.locator("#job .box.is-found").count() == 3, "the decision is remembered"
    context.close()


def lists(rig):
    """Live progress across a restart of each service, a reload, two tabs, and a cancellation."""
    context = rig.context()
    page = rig.open(context)
    faults([{"provider": "openlibrary", "kind": "slow", "milliseconds": 3000}])
    # More books than a worker looks up at a time, so that the job is still running when the second tab is open.
    look_up(page, isbns(500))
    page.wait_for_selector("#job progress[value]")
    second = rig.open(context)
    second.wait_for_selector(".jobcard progress[value]")
    rig.expected = "net::ERR_|status of 50|WebSocket connection"
    for name in ("enrichment-worker", "progress-host", "api-proxy"):
        restart(name)
        page.reload() if name == "progress-host" else None
    wait_until(page, lambda: page.locator("#job progress").evaluate("bar => bar.value") > 0.05)
    faults([])
    finished(page)
    second.wait_for_selector(".jobcard .status.is-done")
    assert page.locator("#job .cell").count() < 100, "the shelf is virtual"
    faults([{"provider": "openlibrary", "kind": "slow", "milliseconds": 3000}])
    look_up(page, isbns(900)[500:])
    page.click("#job button:has-text('Cancel')")
    finished(page, "cancelled")
    second.wait_for_selector(".jobcard .status.is-cancelled")
    faults([])
    context.close()


def retries(rig):
    context = rig.context()
    page = rig.open(context)
    faults([{"isbn": "9780141439587", "kind": "status", "code": 500}])
    # The page searches for each book whose lookup has just ended; for this book, every provider fails.
    rig.expected = "status of 50"
    look_up(page, ["9780441172719", "9780141439587"])
    finished(page)
    page.wait_for_selector("#job .cell:has-text('Not found')")
    faults([])
    await_providers(page)
    page.click("#job button:has-text('Retry failed')")
    page.wait_for_selector("#job .status:has-text('2 books found'):not(:has-text('not'))")
    context.close()


def processes(rig):
    """The processor time of each of the browser's renderer processes, by pid."""
    session = rig.browser.new_browser_cdp_session()
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return {process["id"]: process["cpuTime"] for process in found if process["type"] == "renderer"}


def private_memory(pid):
    """Megabytes that only this process uses."""
    with open(f"/proc/{pid}/smaps_rollup") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("Private_")) / 1024


# Scrolls through the page, a little with each frame, and returns the times between frames in milliseconds and the maximum number of cells.
SCROLL = """async () => {
    const times = [], steps = 240, end = document.documentElement.scrollHeight - innerHeight;
    let last = performance.now(), cells = 0;
    for (let step = 1; step <= steps; step += 1) {
        scrollTo(0, end * step / steps);
        // A browser that draws nothing must not stop the test.
        await new Promise((drawn) => { requestAnimationFrame(drawn); setTimeout(drawn, 1000); });
        const now = performance.now();
        times.push(now - last);
        last = now;
        cells = Math.max(cells, document.querySelectorAll("#job .cell").length);
    }
    return { times: times.sort((a, b) => a - b), cells };
}"""


def large(rig):
    """A library of 5 000 books: times and memory are printed, and the number of elements and the memory are limited."""
    context = rig.context()
    page = rig.open(context)
    # Typing that many lines with Playwright takes Chromium a minute; setting the value is fast.
    page.evaluate("""(text) => {
        document.querySelector("#isbn-list").value = text;
        document.querySelector("#isbn-list").dispatchEvent(new Event("input"));
    }""", "\n".join(isbns(6000)[1000:]))
    page.click("#isbns button")
    page.wait_for_selector("#job:not([hidden])")
    finished(page)
    address = page.url
    context_state = context.storage_state()
    page.close()
    before = processes(rig)
    context = rig.context(storage_state=context_state)
    context.add_init_script("""new MutationObserver((changes, observer) => {
        if (!document.querySelector("#job .cell")) return;
        observer.disconnect();
        requestAnimationFrame(() => { window.shelfAt = performance.now(); });
    }).observe(document, { childList: true, subtree: true })""")
    page = context.new_page()
    rig.pages.append(page)
    page.goto(address)
    page.wait_for_selector("#job .cell")
    page.wait_for_selector("#job .cover img:not([hidden])")
    # Both are known one frame later.
    wait_until(page, lambda: page.evaluate("window.shelfAt > 0 && performance.getEntriesByName('first-contentful-paint').length > 0"))
    first = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    shelf = page.evaluate("window.shelfAt")
    scrolled = page.evaluate(SCROLL)
    page.wait_for_selector("#job [aria-posinset='5000']")
    times = scrolled["times"]
    cdp = context.new_cdp_session(page)
    cdp.send("HeapProfiler.collectGarbage")
    cdp.send("Performance.enable")
    heap = next(one["value"] for one in cdp.send("Performance.getMetrics")["metrics"] if one["name"] == "JSHeapUsedSize") / 1e6
    # Chromium also keeps an empty process for the next tab, and may have used an earlier process for this tab. The tab's process is the one that has
    # used the most processor time since `before`.
    after = processes(rig)
    memory = private_memory(max(after, key=lambda pid: after[pid] - before.get(pid, 0)))
    print(f"      5 000 books: first paint {first:.0f} ms, shelf {shelf:.0f} ms; frames while scrolling {times[len(times) // 2]:.0f} ms, "
          f"95 % within {times[int(len(times) * 0.95)]:.0f} ms; memory of the tab {memory:.0f} MB, heap {heap:.0f} MB; "
          f"at most {scrolled['cells']} books drawn", flush=True)
    assert scrolled["cells"] < 100, "the shelf is virtual"
    assert memory < 150, memory
    page.fill("#filter", "9781")
    page.wait_for_selector("#job p:has-text(' of 5,000')")
    context.close()


def domains(rig):
    """Under a name in BOOKSTRACK_PUBLIC_URL the page can start and follow jobs; under any other name, which may have been rebound, it cannot."""
    context = rig.context()
    page = rig.open(context, base=URL.replace("127.0.0.1", "books.example"))
    page.fill("#isbn-list", "9780441172719")
    page.click("#isbns button")
    page.wait_for_selector("#job:not([hidden])")
    finished(page)
    foreign = rig.open(context, base=URL.replace("127.0.0.1", "rebound.example"))
    rig.expected = "status of 403"
    foreign.fill("#isbn-list", "9780441172719")
    foreign.click("#isbns button")
    foreign.wait_for_selector("#problem:has-text('Requests from this origin are not allowed.')")
    context.close()


def streams(rig):
    """If WebSockets are blocked, an event stream follows the job."""
    context = rig.context()
    context.add_init_script("window.WebSocket = class { constructor() { setTimeout(() => this.onclose()); } close() {} };")
    page = rig.open(context)
    with page.expect_request("**/events?*"):
        look_up(page, isbns(910)[900:])
    finished(page)
    context.close()


def hidden(rig):
    """A hidden tab sends no requests, and a visible one continues."""
    context = rig.context()
    page = rig.open(context)
    asked, pending = watch(page)
    faults([{"provider": "openlibrary", "kind": "slow", "milliseconds": 1000}])
    look_up(page, isbns(1000)[910:])
    page.evaluate("""Object.defineProperty(document, "hidden", { configurable: true, get: () => window.away === true });
        window.away = true; document.dispatchEvent(new Event("visibilitychange"))""")
    await_rest(page, pending)
    asked.clear()
    page.on("websocket", lambda socket: asked.append(socket.url))
    faults([])
    page.wait_for_timeout(2500)
    assert asked == [], asked
    page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    finished(page)
    context.close()


def attacks(rig):
    context = rig.context()
    page = rig.open(context)
    rows = "\n".join(",".join('"' + text.replace('"', '""') + '"' for text in (attack, attack)) for attack in XSS)
    path = write("<img src=x onerror=hit=1>.csv", f'Title,Author,"{XSS[1]}"\n' + rows.replace("\n", ",cell\n") + ",cell\n")
    page.set_input_files("#file", path)
    page.wait_for_selector("#preview table")
    page.click("button:has-text('Import')")
    page.wait_for_selector("#job .cell")
    finished(page)
    page.click("#job .cell button")
    page.wait_for_selector("#book[open]")
    close_book(page)
    for attack in XSS:
        page.goto(f"{URL}/#search={urllib.request.quote(attack)}")
        page.wait_for_selector("#results-note:not(:has-text('Searching'))")
    page.goto(f"{URL}/#home")
    assert page.locator("#jobs img[src=x], #jobs script, #jobs iframe").count() == 0
    assert XSS[1].replace("window.", "") in page.inner_text("#jobs"), "names stay readable"
    rig.settled()
    context.close()


def keyboard(rig):
    """A search, its shelf and a book, and a list, using only the keyboard."""
    context = rig.context()
    page = rig.open(context)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.type("the")
    page.keyboard.press("Enter")
    page.wait_for_selector("#results .cell")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    place = page.evaluate("Number(document.activeElement.closest('[aria-posinset]').getAttribute('aria-posinset'))")
    assert place > 3, place
    page.keyboard.press("Enter")
    page.wait_for_selector("#book[open]")
    close_book(page)
    assert page.evaluate("document.activeElement.matches('.book')"), "the focus returns to the book"
    go_home(page)
    page.focus("#isbn-list")
    page.keyboard.type("9780441172719")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#job:not([hidden])")
    assert page.evaluate("document.activeElement.id") == "job-title"
    finished(page)
    context.close()


def widths(rig):
    """No state is wider than the window, light or dark."""
    for scheme in ("light", "dark"):
        context = rig.context(width=320, height=640, color_scheme=scheme)
        page = rig.open(context)
        serious(page, f"start {scheme}")

        def fits(where):
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, where

        fits("start")
        page.set_input_files("#file", SAMPLE)
        page.wait_for_selector("#preview table")
        fits("preview")
        serious(page, f"preview {scheme}")
        page.click("button:has-text('Import 15 rows')")
        finished(page)
        page.click("#job summary")
        page.wait_for_selector("#job .chart rect")
        fits("library")
        serious(page, f"library {scheme}")
        page.set_input_files("#photos", photo(rig.browser), strict=False)
        page.wait_for_selector("#job .box rect")
        fits("scan")
        serious(page, f"scan {scheme}")
        context.close()


CHECKS = [
    ("a search shows covers, a book, or that nothing was found", searches),
    ("an import has a preview, role menus, books, covers and downloads", imports),
    ("a scan has boxes, approved books and books to review, and remembers a decision", scans),
    ("a list is followed live across restarts, a reload, two tabs and a cancellation", lists),
    ("a library of 5 000 books is drawn in parts and takes little memory", large),
    ("failed books are retried", retries),
    ("the page works under its own domain, and not under a foreign one", domains),
    ("an event stream replaces a blocked WebSocket", streams),
    ("a hidden tab sends no requests", hidden),
    ("texts from books, columns, files and addresses stay plain text", attacks),
    ("the page can be used with the keyboard only", keyboard),
    ("no state of the page is wider than 320 pixels, light or dark", widths),
]


def pictures(rig, folder):
    import page_pictures
    page_pictures.take(rig, folder)


def main(checks=CHECKS, make_rig=Rig, take_pictures=pictures):
    passed = failed = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--host-resolver-rules=MAP *.example 127.0.0.1"])
        rig = make_rig(browser)
        for name, check in checks:
            if os.environ.get("BOOKSTRACK_ONLY") and os.environ["BOOKSTRACK_ONLY"] not in check.__name__:
                continue
            begun = time.time()
            try:
                check(rig)
                rig.settled()
                passed += 1
                print(f"ok    {name} ({time.time() - begun:.1f} s)", flush=True)
            except Exception:
                failed += 1
                rig.faults, rig.expected = [], None
                faults([])
                print(f"FAIL  {name}\n{traceback.format_exc()}", flush=True)
                for index, page in enumerate(page for page in rig.pages if not page.is_closed()):
                    if PICTURES:
                        page.screenshot(path=f"{PICTURES}/failed-{check.__name__}-{index}.png")
                    print(f"      {page.url} shows: {page.inner_text('body')[:1500]!r}", flush=True)
                    page.close()
                for log in sorted(glob.glob(f"{WORK}/*.log")):
                    with open(log, encoding="utf-8", errors="replace") as file:
                        print("".join(f"      {os.path.basename(log)}: {line}" for line in file.readlines()[-5:]), end="", flush=True)
        if PICTURES:
            take_pictures(rig, PICTURES)
        browser.close()
    for child in started:
        child.terminate()
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    # So that `import page_test` in other modules returns this module instead of loading it again.
    sys.modules["page_test"] = sys.modules["__main__"]
    import page_mishaps
    import page_races

    sys.exit(main(CHECKS + page_mishaps.CHECKS + page_races.CHECKS))
