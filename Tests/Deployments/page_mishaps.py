"""The readers' page when something goes wrong, for example without storage, with an expired token, at a limit or after a double click."""

import json
import os

import page_test
from page_test import SAMPLE, URL, WORK, await_providers, faults, finished, go_home, isbns, look_up, photo, restart, stop, wait_until, write

SLOW = [{"provider": name, "kind": "slow", "milliseconds": 3000} for name in ("openlibrary", "googlebooks")]
# Makes the page believe that its tab is in the background, or in the foreground again.
HIDE = """(isAway) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => window.away === true });
    window.away = isAway;
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def status(page):
    return page.inner_text("#job .status")


def unloaded(rig):
    context = rig.context()
    page = context.new_page()
    page.route("**/job.js", lambda route: route.abort())
    page.goto(URL)
    page.wait_for_selector("#unloaded:has-text('could not be loaded')")
    page.unroute("**/job.js")
    page.click("#unloaded a")
    page.wait_for_selector("#home:not([hidden])")
    assert page.locator("#unloaded").count() == 0
    context.close()


def storage(rig):
    """If the storage is full or blocked, a job is followed and kept until the tab is closed, and a stored job can be removed."""
    full = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
    blocked = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });"
    for script in (full, blocked):
        context = rig.context()
        context.add_init_script(script)
        page = rig.open(context)
        look_up(page, ["9780441172719"])
        page.wait_for_selector("#unstored:not([hidden])")
        finished(page)
        page.click("a:has-text('← Home')")
        page.wait_for_selector("#jobs .status.is-done")
        assert page.locator("#jobs li").count() == 1
        page.click("#jobs button:has-text('Remove')")
        assert page.locator("#jobs li").count() == 0
        context.close()
    context = rig.context()
    page = rig.open(context)
    look_up(page, ["9780441172719"])
    finished(page)
    page.click("a:has-text('← Home')")
    page.wait_for_selector("#jobs .status.is-done")
    page.evaluate(f"() => {{ {full} }}")
    page.click("#jobs button:has-text('Remove')")
    assert page.locator("#jobs li").count() == 0
    context.close()


def tabs(rig):
    """A second tab that was hidden when an import ended follows the lookup of its books, like the first tab."""
    context = rig.context()
    page = rig.open(context)
    numbers = isbns(8300)[7600:]
    page.set_input_files("#file", write("tabs.csv", "Title,Author,ISBN13\n" + "".join(f"Book {one},Someone,{one}\n" for one in numbers)))
    page.wait_for_selector("#preview table")
    second = rig.open(context)
    faults(SLOW)
    stop("enrichment-worker")
    page.click("button:has-text('Import 700 rows')")
    page.wait_for_selector("#job .status.is-reading")
    second.wait_for_selector("#jobs .status.is-reading")
    second.evaluate(HIDE, True)
    restart("enrichment-worker", isStopped=True)
    page.wait_for_selector("#job .status.is-running")
    second.evaluate(HIDE, False)
    second.wait_for_selector("#jobs .status:has-text('looked up'), #jobs .status:has-text('Queued')")
    second.wait_for_timeout(500)
    for tab in (page, second):
        assert tab.locator(".status.is-running:visible").count() == 1, tab.inner_text("main")
    faults([])
    finished(page)
    second.wait_for_selector("#jobs .status.is-done")
    assert status(page) == second.inner_text("#jobs .status")
    context.close()


def expiry(rig):
    """
    A job whose token expired while the computer slept is followed to its end by polling its results; actions that need the token are no longer
    offered.
    """
    context = rig.context()
    page = rig.open(context)
    rig.expected = "WebSocket connection|status of 40|net::ERR_|status of 50"
    restart("progress-host", BOOKSTRACK_TOKEN_TTL_SECONDS="2", BOOKSTRACK_TOKEN_REFRESH_WINDOW_SECONDS="1")
    page.reload()
    faults(SLOW)
    look_up(page, isbns(9000)[8300:])
    page.wait_for_selector("#job .status.is-running")
    page.evaluate(HIDE, True)
    page.wait_for_timeout(3000)
    page.evaluate(HIDE, False)
    page.wait_for_selector("#job .status:has-text('Still running')")
    assert not page.is_visible("#job button:has-text('Cancel')")
    # A state that an earlier version of the page may have stored.
    page.evaluate("""() => {
        const jobs = JSON.parse(localStorage["bookstrack.jobs"]);
        jobs[0].state = "gone";
        localStorage["bookstrack.jobs"] = JSON.stringify(jobs);
    }""")
    page.reload()
    page.wait_for_selector("#job .status.is-running")
    faults([])
    finished(page)
    page.wait_for_selector("#job .cell")
    restart("progress-host")
    context.close()


REFUSED = json.dumps({"success": False, "error": {"code": "RATE_LIMIT_EXCEEDED", "message": "Too many requests", "details": {}}})


def refuse(route):
    route.fulfill(status=429, body=REFUSED, headers={"Content-Type": "application/json", "Retry-After": "1"})


def refuse_for_long(route):
    """Like `refuse`, but for so long that the page does not send the request again by itself."""
    route.fulfill(status=429, body=REFUSED, headers={"Content-Type": "application/json", "Retry-After": "600"})


# A refused preview. The page requests it again a few seconds later; until then, the reader can request it or import the file without it.
REFUSAL = "#preview:has(button:has-text('Try again'):visible) .commit button:enabled"


def columns(rig):
    """
    Files with unrecognized columns are imported once the reader has chosen the meaning of the columns, even if the preview with the choice is refused
    temporarily.
    """
    context = rig.context()
    page = rig.open(context)
    rig.expected = "status of 400|status of 429"
    for name, text, rows in (("named.csv", "Buchname,Verfasser\nDune,Herbert\n", 1), ("bare.csv", "2020-01-01,3.50\n2020-02-01,4.50\n", 2)):
        page.goto(f"{URL}/#home")
        page.set_input_files("#file", write(name, text))
        page.wait_for_selector("#preview .notice:has-text('Choose the meaning')")
        assert page.is_disabled("#preview .commit button")
        page_test.serious(page, name)
        assert text.splitlines()[0] in page.inner_text("#preview pre")
        page.route("**/v1/csv/preview", refuse, times=1)
        page.select_option("#role-1", "author")
        page.wait_for_selector(REFUSAL)
        page.wait_for_selector("tr:has(#role-1):has-text('your choice')")
        page.select_option("#role-0", "title")
        page.wait_for_selector(f"button:has-text('Import {rows} row')")
        assert page.inner_text("#preview .first .author >> nth=0") == text.splitlines()[-rows].split(",")[1]
    page.uncheck("#enrich")
    page.click("#preview .commit button")
    finished(page)
    page.wait_for_selector("#job [aria-setsize='2']")
    context.close()


def previews(rig):
    """A preview that was refused temporarily can be requested again, and the file can be imported with or without it."""
    context = rig.context()
    page = rig.open(context)
    rig.expected = "status of 429"
    page.route("**/v1/csv/preview", refuse, times=1)
    page.set_input_files("#file", SAMPLE)
    page.wait_for_selector(REFUSAL)
    page.wait_for_selector("button:has-text('Import 15 rows')")
    assert not page.is_visible("#preview .notice")
    page.route("**/v1/csv/preview", refuse_for_long, times=1)
    page.select_option("#role-0", "ignore")
    page.wait_for_selector("#preview button:has-text('Try again')")
    assert page.is_enabled("button:has-text('Import 15 rows')")
    page.click("#preview button:has-text('Try again')")
    page.wait_for_selector("tr:has(#role-0):has-text('your choice')")
    context.close()


def twice(rig):
    context = rig.context()
    page = rig.open(context)
    started = []
    page.on("request", lambda request: started.append(request.url) if "/v1/enrichment/batch" in request.url else None)
    page.fill("#isbn-list", "9780441172719")
    page.dblclick("#isbns button")
    finished(page)
    assert len(started) == 1, started
    assert page.evaluate("JSON.parse(localStorage['bookstrack.jobs']).length") == 1
    context.close()


# Whether the last character of an element is to the left of its first one.
LAST_LEFT_OF_FIRST = """(node) => {
    const text = document.createTreeWalker(node, NodeFilter.SHOW_TEXT).nextNode(), range = document.createRange();
    const left = (from) => { range.setStart(text, from); range.setEnd(text, from + 1); return range.getBoundingClientRect().left; };
    return left(text.length - 1) < left(0);
}"""


def directions(rig):
    context = rig.context()
    page = rig.open(context)
    page.set_input_files("#file", write("שלום.csv", "Title,Author\nמה שלומך?,עמוס עוז!\nWhy not?,Jane Doe!\n"))
    page.wait_for_selector("#preview .first")
    for place, isRight in ((0, True), (1, False)):
        for part in ("title", "author"):
            assert page.locator(f"#preview .first .{part}").nth(place).evaluate(LAST_LEFT_OF_FIRST) == isRight, (place, part)
    title, author = (page.locator(f"#preview .first .{part}").first.bounding_box() for part in ("title", "author"))
    assert title["x"] + title["width"] <= author["x"], "the author comes after the title"
    page.uncheck("#enrich")
    page.click("#preview .commit button")
    finished(page)
    for part in (".caption .title", ".spine-title"):
        assert page.locator(f"#job {part}").first.evaluate(LAST_LEFT_OF_FIRST), part
    context.close()


def retries(rig):
    """Only books that may still be found can be retried, and the page reports the outcome."""
    context = rig.context()
    page = rig.open(context)
    rig.expected = "status of 50"
    await_providers(page)
    look_up(page, ["9780441172719", "9780000000002"])
    finished(page)
    page.wait_for_selector("#job .cell:has-text('Not found')")
    assert not page.is_visible("#job button:has-text('Retry failed')")
    page.click("#job .cell:has-text('Not found') button")
    page.wait_for_selector("#book .notice:has-text('Not found by')")
    assert "Open Library" in page.inner_text("#book .notice")
    page.go_back()
    page.wait_for_selector("#book:not([open])", state="attached")
    assert page.is_visible("#job"), "going back closes only the book"
    # No other check requests this book, so its result is not in the cache.
    [isbn] = isbns(7301)[7300:]
    faults([{"isbn": isbn, "kind": "status", "code": 500}])
    look_up(page, ["9780441172719", isbn])
    finished(page)
    page.click("#job button:has-text('Retry failed')")
    page.wait_for_selector("#job .jobstate:has-text('Nothing new was found.')")
    faults([])
    context.close()


def photo_retries(rig):
    """A scan whose photo could not be read can be retried, and its card then shows the books."""
    context = rig.context()
    page = rig.open(context)
    # A failed scan has no results.
    rig.expected = "status of 404"
    faults([{"provider": "gemini", "kind": "status", "code": 500}])
    # No other check sends this photo, so the model's answer is not in the cache.
    page.set_input_files("#photos", photo(rig.browser, height=820))
    finished(page, "failed")
    faults([])
    page.click("#job button:has-text('Retry failed')")
    page.wait_for_selector("#job .jobstate:has-text('3 more books found.')")
    assert status(page).startswith("3 books: "), status(page)
    assert not page.is_visible("#job button:has-text('Retry failed')")
    assert page.locator("#job .box").count() == 3
    context.close()


# Sends a request about the newest job; returns the data in the response.
ASK = """async ([path, method]) => {
    const { id, token } = JSON.parse(localStorage["bookstrack.jobs"])[0];
    return (await (await fetch(`/v1/jobs/${id}${path}`, { method, headers: { Authorization: `Bearer ${token}` } })).json()).data;
}"""


def background(rig):
    """The counts of a finished job include the books found by a retry that the page did not start."""
    context = rig.context()
    page = rig.open(context)
    rig.expected = "status of 50"
    # No other check requests this book, so its result is not in the cache.
    [isbn] = isbns(7302)[7301:]
    faults([{"isbn": isbn, "kind": "status", "code": 500}])
    look_up(page, ["9780441172719", isbn])
    finished(page)
    page.wait_for_selector("#job .status:has-text('1 book not found')")
    faults([])
    await_providers(page)
    assert page.evaluate(ASK, ["/retry", "POST"])["retrying"] == 1
    wait_until(page, lambda: page.evaluate(ASK, ["", "GET"])["failureCount"] == 0)
    page.reload()
    page.wait_for_selector("#job .status:has-text('2 books found'):not(:has-text('not'))")
    context.close()


def left(rig):
    """If a file's books arrive after the reader has left its page and the lookup has ended, the failed books can still be retried."""
    context = rig.context()
    page = rig.open(context)
    # No other check requests this book, so its result is not in the cache.
    [isbn] = isbns(7303)[7302:]
    faults([{"isbn": isbn, "kind": "status", "code": 500}])
    held = []
    page.route("**/v1/csv/results/**", lambda route: held.append(route), times=1)
    page.set_input_files("#file", write("left.csv", f"Title,Author,ISBN13\nDune,Frank Herbert,9780441172719\nBook,Someone,{isbn}\n"))
    page.click("button:has-text('Import 2 rows')")
    wait_until(page, lambda: held)
    page.click("a:has-text('← Home')")
    page.wait_for_selector("#jobs .status.is-done")
    page.wait_for_selector("#jobs button:has-text('Retry failed')")
    with page.expect_response("**/v1/csv/results/**"):
        held[0].continue_()
    page.wait_for_timeout(500)
    assert page.is_visible("#jobs button:has-text('Retry failed')")
    faults([])
    context.close()


def cancelled(rig):
    """The books of a library file can be downloaded after their lookup has been cancelled."""
    context = rig.context()
    page = rig.open(context)
    # More books than a worker looks up at a time, so that the job is still running when it is cancelled.
    numbers = isbns(7300)[6930:]
    faults(SLOW)
    page.set_input_files("#file", write("own.csv", "Title,Author,ISBN13\n" + "".join(f"Book {one},Someone,{one}\n" for one in numbers)))
    page.click("button:has-text('Import 370 rows')")
    page.wait_for_selector("#job .status.is-running")
    page.click("#job button:has-text('Cancel')")
    finished(page, "cancelled")
    for kind in ("CSV", "JSON"):
        with page.expect_download() as download:
            page.click(f"#job button:has-text('{kind}')")
        with open(download.value.path(), encoding="utf-8") as file:
            assert numbers[-1] in file.read(), kind
    faults([])
    context.close()


def limits(rig):
    """The covers of a long shelf leave a part of the limit for searches."""
    restart("api-proxy", BOOKSTRACK_RATE_LIMIT="on", BOOKSTRACK_RATE_LIMIT_SEARCHES_PER_MINUTE="40")
    # High enough for all books, of which 80 have covers.
    context = rig.context(height=6000)
    page = rig.open(context)
    left = []
    page.on("response", lambda answer: left.append(int(answer.headers["x-ratelimit-remaining"])) if "/images/proxy" in answer.url else None)
    look_up(page, isbns(7500)[7400:])
    finished(page)
    wait_until(page, lambda: left and min(left) <= 11)
    page.fill("#query", "the great gatsby")
    with page.expect_response("**/v1/search/**") as found:
        page.keyboard.press("Enter")
    assert found.value.status == 200
    page.wait_for_selector("#results .cell")
    # A fifth of the limit is left, less the covers that were already being requested when this share was reached.
    assert min(left) > 4, left
    # Closed before the restart, because its page would otherwise report covers that it cannot load.
    context.close()
    restart("api-proxy")


def drop(page, paths):
    session = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": 300, "y": 300, "data": {"items": [], "files": paths, "dragOperationsMask": 1}})
    session.detach()


def words(rig):
    """A request that cannot be fulfilled is explained in a sentence."""
    context = rig.context()
    page = rig.open(context, "/#job=unknown")
    page.wait_for_selector("#problem:has-text('does not know that job')")
    rig.expected = "net::ERR_|Failed to load resource"
    csv = write("one.csv", "Title\nDune\n")
    os.makedirs(f"{WORK}/folder", exist_ok=True)
    for files, sentence in (([csv, SAMPLE], "one library file at a time"), ([csv, photo(rig.browser)], "separately")):
        drop(page, [os.path.abspath(file) for file in files])
        page.wait_for_selector(f"#problem:has-text('{sentence}')")
    drop(page, [f"{WORK}/folder"])
    page.wait_for_selector("#preview .notice:has-text('Folders cannot be added')")
    page.fill("#query", "V")
    page.keyboard.press("Enter")
    assert "at least two" in page.evaluate("document.querySelector('#query').validationMessage")
    page.fill("#query", "Vi")
    assert page.evaluate("document.querySelector('#query').validity.valid")
    quota = {"success": False, "error": {"code": "QUOTA_EXHAUSTED", "message": "No result: openlibrary has no requests left."}}
    page.route("**/v1/search/**", lambda route: route.fulfill(status=503, json=quota))
    page.fill("#query", "Villette")
    page.keyboard.press("Enter")
    page.wait_for_selector("#results-note:has-text('has no requests left')")
    page.unroute("**/v1/search/**")
    names = page.evaluate(f"""async () => {{
        const {{ yearName, duration }} = await import(document.querySelector("[href$='/dom.js']").href);
        return [yearName(-720), yearName(1965), duration(3593), duration(40)];
    }}""")
    assert names == ["720 BCE", 1965, "60 minutes", "40 seconds"], names
    context.close()


def focus(rig):
    """The focus stays where the reader is working, and a second tab shows the first tab's decisions."""
    context = rig.context()
    page = rig.open(context)
    page.set_input_files("#photos", photo(rig.browser))
    finished(page)
    page.wait_for_selector("#job .spine")
    second = rig.open(context, f"/{page.evaluate('location.hash')}")
    second.wait_for_selector("#job .tag.is-review")
    if page.locator("button:has-text('Approve')").count():
        page.focus("button:has-text('Approve')")
    else:
        page.focus("input[type=radio] >> nth=0")
    page.keyboard.press("Space")
    page.wait_for_selector("#job .status:has-text('0 to review')")
    assert page.evaluate("document.activeElement.closest('.spine') !== null")
    second.wait_for_selector("#job .status:has-text('0 to review')")
    assert second.locator(".tag.is-review").count() == 0
    second.close()
    look_up(page, ["9780441172719"])
    finished(page)
    go_home(page)
    page.focus("#jobs li:first-child button:has-text('Remove')")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.matches('#jobs a')")
    page.focus("#jobs button:has-text('Remove')")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "jobs-title"
    context.close()


CHECKS = [
    ("if scripts do not load, the page reports it", unloaded),
    ("with full or blocked storage, jobs are kept until the tab is closed", storage),
    ("two tabs both follow an import to its end", tabs),
    ("a job with an expired token is followed by polling its results", expiry),
    ("the reader chooses the meaning of unrecognized columns", columns),
    ("a refused preview can be requested again, and the import is possible without it", previews),
    ("a double click starts one job", twice),
    ("right-to-left titles and authors are shown in the right order", directions),
    ("only books that may still be found can be retried, and the outcome is reported", retries),
    ("a scan whose photo could not be read can be retried, and its card shows the books", photo_retries),
    ("the counts of a finished job include what a later retry has found", background),
    ("a file's books that arrive late do not hide that failed books can be retried", left),
    ("the books of a library file can be downloaded after their lookup was cancelled", cancelled),
    ("a request that cannot be fulfilled is explained", words),
    ("review decisions keep the focus and appear in both tabs", focus),
    ("the covers of a long shelf leave a part of the limit for searches", limits),
]
