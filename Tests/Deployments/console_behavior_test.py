"""The console with several tabs, changing lists, failures, wrong clocks and unusual data. Part of Tests/Deployments/console."""

import json
import time
import urllib.request
from contextlib import suppress

from playwright.sync_api import Error

from console_test import ADMIN, TOKEN, URL, Console, numbers, start
from page_test import faults, isbns, wait_until

HIDE = """(isHidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => window.away === true });
    window.away = isHidden;
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def log_in(page):
    page.wait_for_selector("#login:not([hidden])")
    page.fill("#token", TOKEN)
    page.keyboard.press("Enter")
    page.wait_for_selector(".banner")


def tabs(rig):
    """Tabs share the cookie of the newest login: the older tab continues, and notices the logout."""
    context = rig.context()
    first, second = rig.open(context, ADMIN), rig.open(context, ADMIN)
    log_in(first)
    log_in(second)
    rig.expected = "status of 40"
    first.goto(f"{ADMIN}/#doctor")
    first.wait_for_selector(".findings")
    assert first.locator("#problem").is_hidden(), first.inner_text("#problem")
    second.click("#logout")
    second.wait_for_selector("#login:not([hidden])")
    assert second.locator("#problem").is_hidden(), "a logout is not reported as a problem"
    first.evaluate(HIDE, True)
    first.evaluate(HIDE, False)
    first.wait_for_selector("#problem:has-text('session has ended')")
    assert first.locator("#login").is_visible()
    context.close()


def one_tail(rig):
    """However often a tab is hidden while the tail cannot connect, it opens only one stream afterwards, and each event is shown once."""
    console = Console(rig, "tail")
    console.has(".events > li")
    rig.expected = "net::ERR"
    console.page.route("**/console/api/tail?*", lambda route: route.abort())
    for _ in range(3):
        console.page.evaluate(HIDE, True)
        console.page.wait_for_timeout(100)
        console.page.evaluate(HIDE, False)
        console.has("#stale:has-text('cannot be reached')")
    asked = []
    # An aborted request has no response.
    console.page.on("response", lambda response: asked.append(response.url) if "/tail?" in response.url else None)
    console.page.unroute("**/console/api/tail?*")
    console.has("[role=status]:has-text('Following')")
    console.page.wait_for_timeout(2500)
    assert len(asked) == 1, asked
    assert console.page.locator("#stale").is_hidden()
    urllib.request.urlopen(f"{URL}/v1/search/isbn?isbn=9780618260300").read()
    row = console.page.locator(".events > li:has-text('9780618260300'):has-text('api-proxy')")
    wait_until(console.page, lambda: row.count() > 0)
    console.page.wait_for_timeout(500)
    assert row.count() == 1, row.all_inner_texts()
    console.close()


def selection(rig):
    """The selection matches the checked boxes, after an action and when newer jobs move the list."""
    faults([])
    jobs = [start([{"title": f"Selected {number}"}])[0] for number in range(3)]
    console = Console(rig, "jobs")
    for job in jobs[:2]:
        console.page.check(f"#choose-{job}")
    console.has(".bulk:has-text('2 jobs selected')")
    assert console.page.evaluate("document.querySelector('#choose-all').indeterminate")
    console.page.select_option("#new-priority", "high")
    console.page.click("#confirm button:has-text('Change priority')")
    console.has("caption:has-text('Outcome of the action')", state="attached")
    console.has(".bulk:has-text('Select jobs')")
    assert console.page.locator("tbody input:checked").count() == 0
    console.page.check("#choose-all")
    selected = console.page.locator("#job-list tbody input").count()
    console.has(f".bulk:has-text('{selected} jobs selected')")
    for number in range(52):
        start([{"title": f"Newer {number}"}])
    console.has(".bulk:has-text('Select jobs')")
    assert console.page.locator("#choose-all:checked").count() == 0
    console.close()


def pages(rig):
    """The page of a list is part of the address, so going back leads to the same page. A double click on a button turns only one page."""
    for number in range(104):
        start([{"title": f"One of many {number}"}])
    console = Console(rig, "jobs")
    newest = console.page.locator("#job-list td a").first.inner_text()

    def double_click(button):
        """Clicks twice before the response to the first click arrives."""
        held = []
        console.page.route("**/console/api/jobs?*", lambda route: held.append(route))
        console.page.dblclick(button)
        wait_until(console.page, lambda: held)
        console.page.unroute("**/console/api/jobs?*")
        for route in held:
            # The page may have given up its first request for its second one.
            with suppress(Error):
                route.continue_()

    double_click("#older")
    wait_until(console.page, lambda: console.page.locator("#job-list td a").first.inner_text() != newest)
    older = console.page.locator("#job-list td a").first.inner_text()
    console.page.locator("#job-list td a").first.click()
    console.has("h2:has-text('Books')")
    console.page.go_back()
    console.has(f"#job-list td a:has-text('{older}')")
    assert console.page.locator("#job-list td a").first.inner_text() == older
    console.page.click("#older")
    wait_until(console.page, lambda: console.page.locator("#job-list td a").first.inner_text() != older)
    double_click("#newer")
    console.has(f"#job-list td a:has-text('{older}')")
    assert console.page.url.count("page=") == 1, console.page.url
    console.page.click("#newer")
    console.has("#newer:disabled")
    assert "page=" not in console.page.url, console.page.url
    console.close()


def again(rig):
    """A search, and the filter of a refused tail, can be submitted again unchanged; a tail refused for lack of room follows once there is room."""
    rig.expected = "status of 4"
    console = Console(rig, "jobs?q=nowhere")
    console.has("#job-list .empty")
    with console.page.expect_response("**/console/api/jobs?*"):
        console.page.click("button:has-text('Search')")
    answer = {"success": False, "error": {"code": "TOO_MANY_CONNECTIONS", "message": "8 pages are already following the tail."}}
    refuse = lambda route: route.fulfill(status=429, content_type="application/json", body=json.dumps(answer))
    console.page.route("**/console/api/tail?*", refuse)
    console.go("tail")
    console.has("#stale:has-text('already following')")
    console.page.unroute("**/console/api/tail?*")
    console.has("[role=status]:has-text('Following')")
    assert console.page.locator("#stale").is_hidden()
    invalid = {"success": False, "error": {"code": "INVALID_REQUEST", "message": "ip must be an IP address"}}
    console.page.route("**/console/api/tail?*", lambda route: route.fulfill(status=400, content_type="application/json", body=json.dumps(invalid)), times=1)
    console.go("tail?service=api-proxy")
    console.has("[role=status]:has-text('Not following.')")
    console.page.click("button:has-text('Filter')")
    console.has("[role=status]:has-text('Following api-proxy')")
    console.close()


def open_entry(rig):
    """An open timeline entry stays open and keeps the focus while the job runs."""
    faults([{"provider": "openlibrary", "kind": "slow", "milliseconds": 2500}])
    job, _ = start(numbers(isbns(8000)[5000:8000]))
    console = Console(rig, f"job/{job}")
    rows = console.page.locator(".timeline li")
    wait_until(console.page, lambda: rows.count() >= 2)
    console.page.locator(".timeline summary").first.focus()
    console.page.keyboard.press("Enter")
    opened, known = console.page.locator(".timeline details[open] .num").inner_text(), rows.count()
    wait_until(console.page, lambda: rows.count() > known)
    assert console.page.locator(".timeline details[open] .num").all_inner_texts() == [opened]
    assert console.page.evaluate("document.activeElement.textContent").startswith(opened)
    numbers_shown = [int(text[1:]) for text in console.page.locator(".timeline .num").all_inner_texts()]
    assert numbers_shown == sorted(numbers_shown, reverse=True), numbers_shown
    faults([])
    console.close()


def directions(rig):
    """A right-to-left title and its author do not swap positions."""
    job, _ = start([{"title": "דיונה 2", "author": "פרנק הרברט"}])
    console = Console(rig, f"job/{job}")
    # Both are measured in the same frame, since a changed state moves them.
    title, author = console.page.locator("td:has(bdi:has-text('דיונה'))").first.evaluate(
        "(cell) => [...cell.querySelectorAll('bdi')].map((text) => text.getBoundingClientRect()).map(({ left, right }) => [left, right])")
    assert title[1] < author[0], (title, author)
    console.close()


def troubles(rig):
    """A failed action is reported until the next one, and a list that cannot be read does not show other books."""
    rig.expected = "status of 503"
    answer = {"success": False, "error": {"code": "SERVICE_UNAVAILABLE", "message": "progress-host does not answer"}}
    refuse = lambda route: route.fulfill(status=503, content_type="application/json", body=json.dumps(answer))
    job, _ = start(numbers(["9780441172719", "9780000000002"]))
    console = Console(rig, "jobs")
    console.page.check(f"#choose-{job}")
    console.page.route("**/console/api/jobs/actions", refuse)
    console.page.click("button:has-text('Retry failed')")
    console.page.click("#confirm button:has-text('Retry')")
    console.has("#problem:has-text('progress-host does not answer')")
    with console.page.expect_response("**/console/api/jobs?*"):
        pass
    console.page.wait_for_timeout(200)
    assert console.page.locator("#problem").is_visible()
    assert console.page.is_checked(f"#choose-{job}"), "the selection is kept for another attempt"
    console.page.unroute("**/console/api/jobs/actions")
    console.page.click("button:has-text('Retry failed')")
    console.page.click("#confirm button:has-text('Retry')")
    console.has(".bulk:has-text('Select jobs')")
    assert console.page.locator("#problem").is_hidden()
    console.go(f"job/{job}")
    console.has("#view .chip:has-text('completed')")
    console.page.route("**/items?*state=*", refuse)
    console.page.select_option("#item-state", "succeeded")
    console.has("[role=alert]:has-text('progress-host does not answer')")
    assert console.page.locator("caption:has-text('Books in the job')").count() == 0
    console.page.unroute("**/items?*state=*")
    console.page.select_option("#item-state", "succeeded")
    console.has("tr:has-text('9780441172719')")
    assert console.page.locator("td:has-text('9780000000002')").count() == 0
    console.close()


def clocks(rig):
    """Times are based on the services' clocks, whatever the viewer's clock shows."""
    for minutes in (-10, 150):
        console = Console(rig)
        console.page.add_init_script(f"const own = Date.now; Date.now = () => own() + {minutes * 60000}")
        console.page.reload()
        console.has(".services li:nth-child(3)")
        assert "up -" not in console.page.inner_text(".services"), console.page.inner_text(".services")
        assert "day" not in console.page.inner_text(".services")
        console.has(".graph path.trace[d^=M]", state="attached")
        places = console.page.evaluate("[...document.querySelectorAll('.graph .trace')].flatMap((trace) => trace.getAttribute('d').match(/[ML][-.0-9]+/g) ?? [])")
        assert all(0 <= float(place[1:]) <= 240 for place in places), places
        job, _ = start([{"title": "Emma"}])
        console.go("jobs?age=3600")
        console.has(f"tr:has-text('just now') a[href='#job/{job}']")
        console.close()


def unasked(rig):
    """Days on which no provider was asked, because no book could be looked up, are shown in the analytics."""
    counts = dict.fromkeys(("books", "found", "isbns", "isbnsFound", "covers", "authors", "knownAuthors", "quality"), 0) | {"books": 2}
    day = {"day": time.strftime("%Y-%m-%d", time.gmtime()), "pipeline": "batch_enrichment", "counts": counts, "providers": []}
    console = Console(rig)
    console.page.route("**/console/api/analytics?*", lambda route: route.fulfill(
        status=200, content_type="application/json", body=json.dumps({"success": True, "data": {"days": [day]}})))
    console.go("analytics")
    console.has("caption:has-text('Quality by day and provider')", state="attached")
    assert console.page.locator("#stale").is_hidden(), console.page.inner_text("#stale")
    assert console.page.locator(".graph").count() == 3
    console.close()


def no_job(rig):
    """A job that does not exist is reported as missing, requested only once, and has no actions."""
    rig.expected = "status of 40"
    console = Console(rig)
    asked = []
    console.page.on("request", lambda request: asked.append(request.url))
    for address in ("%", "never-started"):
        console.go(f"job/{address}")
        console.has("h1:has-text('%s')" % address)
        console.has(".empty:has-text('There is no job')")
        assert console.page.locator("button:visible:has-text('Cancel')").count() == 0
        asked.clear()
        console.page.wait_for_timeout(2500)
        assert asked == [], asked
    console.close()


def shapes(rig):
    """No word is broken inside a chip, and the controls of a filter bar are aligned."""
    for width in (768, 1440):
        console = Console(rig, "settings", width=width)
        console.has("td .chip")
        for view in ("settings", "jobs"):
            console.go(view)
            console.settled()
            broken = console.page.evaluate("[...document.querySelectorAll('td .chip')].filter((chip) => chip.getClientRects()[0].height > 26).map((chip) => chip.textContent)")
            assert broken == [], (width, view, broken)
        for view in ("jobs", "analytics", "tail", "failures", "settings"):
            console.go(view)
            places = console.page.evaluate("""[...document.querySelectorAll("#view > .filters > .field :is(input, select), #view > .filters > button")].map((one) => one.getBoundingClientRect())
                .map(({ top, bottom }) => `${Math.round(top)}–${Math.round(bottom)}`)""")
            rows = {}
            for place in places:
                rows.setdefault(int(place.split("–")[0]) // 20, set()).add(place)
            assert all(len(row) == 1 for row in rows.values()), (width, view, places)
        console.close()


CHECKS = [
    ("two tabs share the newer login's session, and both notice its end", tabs),
    ("the tail reconnects once, however often its tab was hidden", one_tail),
    ("the selection matches the checked boxes", selection),
    ("a list's page is part of its address", pages),
    ("a search and a refused tail can be requested again", again),
    ("an open timeline entry of a running job stays open", open_entry),
    ("a right-to-left title stays before its author", directions),
    ("failed actions stay reported, and lists match their filter", troubles),
    ("times are correct even if the viewer's clock is wrong", clocks),
    ("analytics show days on which no provider was asked", unasked),
    ("a job that does not exist is reported as missing", no_job),
    ("words in chips are not broken, and filter bars are aligned", shapes),
]
