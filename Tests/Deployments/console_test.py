"""The operators' console in headless Chromium; see Tests/Deployments/console, which starts the suite and runs this."""

import json
import os
import re
import sys
import time
import urllib.parse
import urllib.request

import page_test
from page_test import BIN, URL, XSS, Rig, faults, isbns, serious, wait_until

ADMIN = os.environ["BOOKSTRACK_ADMIN_URL"]
TOKEN = os.environ["BOOKSTRACK_CONSOLE_TOKEN"]
VIEWS = ["overview", "jobs", "failures", "providers", "tail", "doctor", "settings", "audit"]


def start(books, **more):
    """Starts a job through the public API; its identifier and token."""
    body = json.dumps({"books": books, **more}).encode()
    headers = {"Content-Type": "application/json", "X-Request-Id": f"console-test-{time.time_ns()}"}
    request = urllib.request.Request(f"{URL}/v1/enrichment/batch", body, headers)
    data = json.load(urllib.request.urlopen(request))["data"]
    return data["jobId"], data["token"]


def numbers(texts):
    return [{"isbn": text} for text in texts]


class Console:
    """A tab with the console, logged in. All share one session, because a minute has five logins."""

    session = None

    def __init__(self, rig, view="overview", **options):
        self.context = rig.context(storage_state=Console.session, **options)
        self.page = rig.open(self.context, ADMIN)
        if not Console.session:
            self.page.wait_for_selector("#login:not([hidden])")
            self.page.fill("#token", TOKEN)
            self.page.keyboard.press("Enter")
        self.page.wait_for_selector("#view:not([hidden]) h1")
        Console.session = Console.session or self.context.storage_state()
        if view != "overview":
            self.go(view)

    def go(self, view):
        self.page.goto(f"{ADMIN}/#{view}")
        self.page.wait_for_selector("#view h1")

    def has(self, selector, timeout=15000):
        self.page.wait_for_selector(selector, timeout=timeout)

    def settled(self):
        """Whether the view has shown what it reads."""
        self.page.wait_for_selector("#view .panel, #view .tablebox, #view .empty, #view .events > li, #view .success")

    def close(self):
        self.context.close()


class ConsoleRig(Rig):
    def open(self, context, address="/"):
        page = context.new_page()
        page.set_default_timeout(15000)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("console", self.remark)
        self.pages.append(page)
        page.goto(address)
        return page


def logs_in(rig):
    rig.expected = "status of 401"
    for base, path in ((ADMIN, "/"), (URL, "/console")):
        context = rig.context()
        page = rig.open(context, base + path)
        page.wait_for_selector("#login:not([hidden])")
        serious(page, "login")
        assert page.evaluate("document.activeElement.id") == "token"
        page.fill("#token", "not the token")
        page.keyboard.press("Enter")
        page.wait_for_selector("#problem:has-text('not the console')")
        page.fill("#token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(".banner.is-ready")
        cookie = next(one for one in context.cookies() if "console" in one["name"])
        assert cookie["httpOnly"] and cookie["secure"] and cookie["sameSite"] == "Strict", cookie
        page.reload()
        page.wait_for_selector(".banner.is-ready")
        page.click("#logout")
        page.wait_for_selector("#login:not([hidden])")
        assert page.locator("#view > *").count() == 0, "nothing is left of the view"
        assert context.cookies() == [] or all("console" not in one["name"] for one in context.cookies())
        context.close()


def overview(rig):
    console = Console(rig)
    console.has(".banner.is-ready")
    assert console.page.locator(".services li").count() == 3
    console.has(".graph svg path.trace", timeout=40000)
    serious(console.page, "overview")
    console.close()


def dead_provider(rig):
    """All providers fail: the operator sees which, why books failed, and retries them once the providers are back."""
    faults([{"kind": "status", "code": 500}])
    books = [{"title": f"Unknown work {number}", "author": "Nobody"} for number in range(6)] + numbers(isbns(12)[:6])
    job, _ = start(books)
    console = Console(rig, "providers")
    console.has(".provider .chip:has-text('paused')", timeout=40000)
    serious(console.page, "providers")
    console.page.click("button:has-text('Test call to each')")
    console.has("h2:has-text('Test calls')")
    console.has("td .chip:has-text('status 500')")
    console.go("doctor")
    console.has(".findings .is-warning:has-text('paused')")
    serious(console.page, "doctor")
    console.go("failures")
    console.has(f"tr:has-text('PROVIDER_ERROR') a[href='#job/{job}']", timeout=40000)
    serious(console.page, "failures")
    faults([])
    console.page.click(f"a[href='#job/{job}']")
    console.has("#view .chip:has-text('completed'), #view .chip:has-text('failed')")
    serious(console.page, "job")

    def works():
        request = urllib.request.Request(f"{URL}/v1/enrichment/batch", json.dumps({"isbns": isbns(14)[12:]}).encode(), {"Content-Type": "application/json"})
        urllib.request.urlopen(request).read()
        console.page.wait_for_timeout(1500)
        figures = [one.get_attribute("class") for one in second.page.locator(".provider h2 .chip").element_handles()]
        return all("is-good" in one for one in figures)

    second = Console(rig, "providers")
    wait_until(console.page, works, 60000)
    console.page.click("button:has-text('Retry failed')")
    console.page.click("#confirm button:has-text('Retry')")
    console.has(".success:has-text('Retrying')")
    console.has("dt:has-text('Results revision') + dd", timeout=40000)
    console.has("td:has-text('succeeded')", timeout=40000)
    second.close()
    console.close()


def stuck_job(rig):
    """A job that does not move: its worker is gone. Others wait longer; one is no longer needed."""
    console = Console(rig)
    pid = page_test.process("enrichment-worker")
    os.kill(pid, 19)
    faults([])
    stuck, _ = start(numbers(isbns(40)[20:40]))
    unwanted, _ = start([{"title": "Emma"}, {"title": "Persuasion"}])
    console.has(".banner.is-degraded:has-text('enrichment-worker')", timeout=20000)
    console.go("jobs?age=3600")
    console.has(f"a[href='#job/{stuck}']")
    console.page.check(f"#choose-{stuck}")
    console.page.check(f"#choose-{unwanted}")
    console.page.select_option("#new-priority", "high")
    console.page.click("#confirm button:has-text('Change priority')")
    console.has("td:has-text('Priority is high')")
    serious(console.page, "jobs")
    console.page.uncheck(f"#choose-{stuck}") if console.page.is_checked(f"#choose-{stuck}") else None
    console.page.click(f"td a[href='#job/{unwanted}']")
    console.has("#view h1")
    console.page.click("button:has-text('Cancel')")
    console.page.keyboard.press("Escape")
    assert console.page.locator("#view .success").count() == 0, "Escape changes nothing"
    console.page.click("button:has-text('Cancel')")
    console.page.click("#confirm button:has-text('Cancel them')")
    console.has(".success:has-text('Job cancelled')")
    console.has("#view .chip:has-text('cancelled')")
    os.kill(pid, 18)
    console.go(f"job/{stuck}")
    console.has("#view .chip:has-text('completed')", timeout=40000)
    console.go("overview")
    console.has(".banner.is-ready", timeout=20000)
    console.go("audit")
    for text in ("prioritise high", "cancel", "login"):
        console.has(f"td:has-text('{text}')")
    serious(console.page, "audit")
    console.close()


def exhausted_budget(rig):
    faults([{"provider": "googlebooks", "kind": "quota", "code": 429}])
    start([{"title": f"Nothing knows this {number}", "author": "Somebody"} for number in range(3)])
    console = Console(rig, "providers")
    console.has(".provider:has-text('google-books') .chip:has-text('quota')", timeout=40000)
    console.has(".provider:has-text('google-books') dd:has-text('next try in')")
    console.go("doctor")
    console.has(".findings li:has-text('google-books') .advice:has-text('resume automatically')")
    faults([])
    console.close()


def wrong_key(rig):
    page_test.restart("enrichment-worker")
    faults([{"provider": "googlebooks", "kind": "invalidKey"}])
    start([{"title": f"Nothing knows that {number}", "author": "Somebody"} for number in range(3)])
    console = Console(rig, "providers")
    console.has(".provider .notice:has-text('BOOKSTRACK_GOOGLE_BOOKS_API_KEY')", timeout=40000)
    console.go("doctor")
    console.has(".findings .is-problem:has-text('google-books') .advice:has-text('BOOKSTRACK_GOOGLE_BOOKS_API_KEY')")
    console.go("settings")
    console.page.fill("#find", "google_books_api_key")
    console.has("tr:has-text('BOOKSTRACK_GOOGLE_BOOKS_API_KEY'):has-text('set'):has-text('environment')")
    assert "test" not in console.page.locator("tr:has-text('BOOKSTRACK_GOOGLE_BOOKS_API_KEY')").first.inner_text(), "a key is never shown"
    serious(console.page, "settings")
    faults([])
    page_test.restart("enrichment-worker")
    console.close()


def searches(rig):
    job, _ = start([{"title": "A very particular title", "author": "X"}])
    console = Console(rig, "jobs")
    console.page.fill("#q", "PARTICULAR title")
    console.page.keyboard.press("Enter")
    console.has(f"a[href='#job/{job}']")
    assert console.page.locator("tbody tr").count() == 1
    assert console.page.evaluate("document.activeElement.id") in ("q", "view-title")
    console.page.fill("#q", job[:12])
    console.page.keyboard.press("Enter")
    console.has(f"a[href='#job/{job}']")
    console.page.fill("#q", "no such title anywhere")
    console.page.keyboard.press("Enter")
    console.has(".empty:has-text('No job matches')")
    console.go("jobs")
    console.page.select_option("#pipeline", "ai_scan")
    console.has("#view .empty, tbody tr")
    assert "pipeline=ai_scan" in console.page.url
    console.close()


def tails(rig):
    console = Console(rig, "tail")
    console.has(".events > li")
    job, _ = start(numbers(isbns(60)[50:53]))
    console.has(f".events a[href='#job/{job}']", timeout=20000) if console.page.locator(".events details[open]").count() else None
    console.page.fill("#job", job)
    console.page.keyboard.press("Enter")
    console.has(".events > li:has-text('jobs.create')")
    console.page.locator(".events summary").first.click()
    console.has(f".events details[open] a[href='#job/{job}']")
    serious(console.page, "tail")
    console.page.click("button:has-text('Pause')")
    console.has("[role=status]:has-text('Paused')")
    page_test.restart("progress-host")
    console.has("[role=status]:has-text('Following api-proxy')", timeout=20000)
    rig.expected = "status of 50|net::ERR"
    console.close()


def attacks(rig):
    """Titles, authors, and what is logged stay texts in every view."""
    rig.expected = "status of 40"
    job, _ = start([{"title": attack, "author": attack} for attack in XSS])
    console = Console(rig, f"job/{job}")
    console.has("td:has-text('onerror')")
    console.has("#view .chip:has-text('completed'), #view .chip:has-text('failed')", timeout=40000)
    for summary in console.page.locator("#view .timeline summary").all():
        summary.click()
    for attack in XSS:
        console.page.goto(f"{ADMIN}/#jobs?q={urllib.parse.quote(attack)}")
        console.has("#job-list > *")
        console.page.goto(f"{ADMIN}/#job/{urllib.parse.quote(attack, safe='')}")
        console.has("#view h1")
    for attack in XSS:
        try:
            urllib.request.urlopen(f"{URL}/v1/search/title?q={urllib.parse.quote(attack)}").read()
        except OSError:
            pass
    console.go("tail?last=300")
    console.has(".events > li:has-text('onerror')")
    for summary in console.page.locator(".events summary").all()[:40]:
        summary.click()
    assert console.page.locator("#view img[src=x], #view script, #view iframe, #view svg[onload]").count() == 0
    console.close()


def hidden(rig):
    """A hidden tab sends no request, in any view; the tail ends too. A visible one goes on."""
    console = Console(rig)
    asked = []
    console.page.on("request", lambda request: asked.append(request.url))
    for view in VIEWS:
        console.go(view)
        console.settled()
        console.page.evaluate("""Object.defineProperty(document, "hidden", { configurable: true, get: () => window.away === true });
            window.away = true; document.dispatchEvent(new Event("visibilitychange"))""")
        console.page.wait_for_timeout(300)
        asked.clear()
        console.page.wait_for_timeout(6000 if view in ("overview", "tail") else 500)
        assert asked == [], (view, asked)
        console.page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    console.go("tail")
    console.page.wait_for_timeout(200)
    assert any("/tail?" in url for url in asked), asked
    console.close()


def keyboard(rig):
    """The login, each view, a job and an action, with keys alone."""
    job, _ = start(numbers(isbns(80)[70:72]))
    console = Console(rig)
    page = console.page

    def focused():
        return page.evaluate("document.activeElement.id || document.activeElement.textContent.trim().slice(0, 40)")

    def tab_to(wanted, limit=60):
        for _ in range(limit):
            if wanted in focused():
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{wanted} is not reached, the focus is on {focused()}")

    page.reload()
    page.wait_for_selector(".banner")
    page.keyboard.press("Tab")
    assert focused() == "Skip to content", focused()
    for name in ("Jobs", "Failures", "Providers", "Tail", "Doctor", "Settings", "Audit log"):
        tab_to(name)
        page.keyboard.press("Enter")
        page.wait_for_timeout(150)
        assert focused() == "view-title", (name, focused())
        page.evaluate("document.querySelector('.skip').focus()")
    console.go(f"job/{job}")
    tab_to("Retry failed")
    page.keyboard.press("Enter")
    page.wait_for_selector("#confirm[open]")
    assert focused() == "Keep as it is", focused()
    page.keyboard.press("Escape")
    page.wait_for_selector("#confirm", state="hidden")
    assert focused() == "Retry failed", focused()
    console.close()


def widths(rig):
    """No view is wider than the window, light and dark, and axe finds nothing serious."""
    job, _ = start([{"title": "A title so long that it does not fit into one line of a narrow window, whatever is done", "author": "x" * 80}])
    for scheme in ("light", "dark"):
        console = Console(rig, width=320, height=640, color_scheme=scheme)
        for view in VIEWS + [f"job/{job}"]:
            console.go(view)
            console.settled()
            console.page.wait_for_timeout(200)
            assert console.page.evaluate("document.documentElement.scrollWidth") <= 320, (view, console.page.evaluate("document.documentElement.scrollWidth"))
            serious(console.page, f"{view} {scheme}")
        console.close()


CHECKS = [
    ("the login, on both listeners", logs_in),
    ("a dead provider is found, and its books are retried", dead_provider),
    ("a stuck job is found, goes first, or is cancelled", stuck_job),
    ("an exhausted budget is found", exhausted_budget),
    ("a wrong key is found, and is not shown", wrong_key),
    ("the overview: readiness, processes, graphs", overview),
    ("jobs are searched and filtered", searches),
    ("the tail: filters, pause, a restart", tails),
    ("titles, identifiers and log lines stay texts", attacks),
    ("a hidden tab asks nothing", hidden),
    ("keyboard only", keyboard),
    ("320 pixels, light and dark", widths),
]


def pictures(rig, folder):
    import console_pictures
    console_pictures.take(rig, folder)


if __name__ == "__main__":
    sys.modules["console_test"] = sys.modules["__main__"]
    sys.exit(page_test.main(CHECKS, ConsoleRig, pictures))
