"""The operators' console in headless Chromium; see Tests/Deployments/console, which starts the suite and runs this."""

import datetime
import glob
import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import zoneinfo

from playwright.sync_api import TimeoutError as PlaywrightTimeout

import page_test
from page_test import BIN, URL, XSS, Rig, await_providers, faults, isbns, serious, wait_until

ADMIN = os.environ["BOOKSTRACK_ADMIN_URL"]
TOKEN = os.environ["BOOKSTRACK_CONSOLE_TOKEN"]
VIEWS = ["overview", "jobs", "failures", "providers", "analytics", "tail", "doctor", "settings", "audit"]
# The chip of a job that has completed or failed, in the head of its page; its books have chips of their own.
OVER = "#view p.line > .chip:has-text('completed'), #view p.line > .chip:has-text('failed')"


def start(books, **more):
    """Starts a job through the public API; returns its identifier and token."""
    body = json.dumps({"books": books, **more}).encode()
    headers = {"Content-Type": "application/json", "X-Request-Id": f"console-test-{time.time_ns()}"}
    request = urllib.request.Request(f"{URL}/v1/enrichment/batch", body, headers)
    deadline = time.monotonic() + page_test.PATIENCE
    while True:
        try:
            data = json.load(urllib.request.urlopen(request))["data"]
            return data["jobId"], data["token"]
        except urllib.error.HTTPError as error:
            # api-proxy's connections to a restarted progress-host are established one after the other, so even a ready suite may return a 503.
            if error.code != 503 or time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def numbers(texts):
    return [{"isbn": text} for text in texts]


class Console:
    """A tab with the console, logged in. All tabs share one session, because only five logins are allowed per minute."""

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
        """Opens a view, and waits until it has replaced the previous one."""
        self.page.goto(f"{ADMIN}/#{view}")
        name = view.split("?")[0]
        if name.startswith("job/"):
            self.page.wait_for_selector(f"#view h1:has-text('{name[4:]}')")
        else:
            self.page.wait_for_selector(f"#views [href='#{name}'][aria-current=page]", state="attached")
            self.page.wait_for_selector("#view h1")

    def has(self, selector, state="visible"):
        self.page.wait_for_selector(selector, state=state)

    def settled(self):
        """Waits until the view shows the data that it has requested."""
        self.page.wait_for_selector("#view .panel, #view .tablebox, #view .empty, #view .events > li, #view .success")

    def close(self):
        self.context.close()


class ConsoleRig(Rig):
    def open(self, context, address="/"):
        page = context.new_page()
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
        page.wait_for_selector("#problem:has-text('Wrong console token')")
        page.fill("#token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(".banner.is-ready")
        cookie = next(one for one in context.cookies() if "console" in one["name"])
        assert cookie["httpOnly"] and cookie["secure"] and cookie["sameSite"] == "Strict", cookie
        page.reload()
        page.wait_for_selector(".banner.is-ready")
        page.click("#logout")
        page.wait_for_selector("#login:not([hidden])")
        assert page.locator("#view > *").count() == 0, "no part of the view is left"
        assert context.cookies() == [] or all("console" not in one["name"] for one in context.cookies())
        context.close()


def overview(rig):
    console = Console(rig)
    console.has(".banner.is-ready")
    assert console.page.locator(".services li").count() == 3
    console.has(".graph svg path.trace")
    serious(console.page, "overview")
    console.close()


def dead_provider(rig):
    """All providers fail, and books wait for them. The operator sees which ones fail, sees when they respond again, and resumes the calls."""
    faults([{"kind": "status", "code": 500}])
    start([{"title": "Emma", "author": "Jane Austen"}] + numbers(isbns(12)[:10]))
    console = Console(rig, "providers")
    for name in ("openlibrary", "google-books"):
        console.has(f".provider:has-text('{name}') .chip:has-text('paused: failures')")
    serious(console.page, "providers")
    console.page.click("button:has-text('Test call to each')")
    console.has("td .chip:has-text('status 500')")
    console.go("doctor")
    console.has(".findings .is-warning:has-text('paused')")
    serious(console.page, "doctor")
    console.go("providers")

    def confirm(name):
        console.page.click("#confirm button:has-text('Call again')")
        console.has(f".success:has-text('{name}: Calls have resumed')")

    console.page.click("#resume-openlibrary")
    confirm("openlibrary")
    # Books wait for a provider for only half a minute, and the first job may have no calls left, so a second job fails and waits.
    job, _ = start(numbers(isbns(20)[12:]))
    console.has(".provider:has-text('openlibrary') .chip:has-text('paused: failures')")
    faults([])

    def works(name):
        if console.page.is_visible(f"#resume-{name}"):
            try:
                console.page.click(f"#resume-{name}", timeout=5000)
            except PlaywrightTimeout:
                # The provider's pause has just ended.
                return False
            confirm(name)
        return console.page.locator(f".provider:has-text('{name}') .chip.is-good").count() > 0

    for name in ("openlibrary", "google-books"):
        wait_until(console.page, lambda: works(name))
    console.page.click("button:has-text('Test call to each')")
    console.has("td .chip:has-text('responds')")
    console.go(f"job/{job}")
    console.has("#view .chip:has-text('completed')")
    assert console.page.locator("td .chip:has-text('failed')").count() == 0, "no book was lost to the outage"
    serious(console.page, "job")
    console.go("audit")
    console.has("td:has-text('resume')")
    console.close()


def failed_books(rig):
    """Failed books are found by their reason, and retried once their provider works again."""
    faults([{"isbn": "9780141439587", "kind": "status", "code": 500}])
    job, _ = start(numbers(["9780441172719", "9780141439587"]))
    console = Console(rig, f"job/{job}")
    console.has("#view .chip:has-text('completed')")
    console.go("failures?age=3600")
    console.has(f"tr:has-text('PROVIDER_ERROR') a[href='#job/{job}']")
    serious(console.page, "failures")
    faults([])
    console.page.click(f"a[href='#job/{job}']")
    console.has("#view .chip:has-text('completed')")
    console.has("td:has-text('PROVIDER_ERROR')")
    await_providers(console.page)
    console.page.click("button:has-text('Retry failed')")
    console.page.click("#confirm button:has-text('Retry')")
    console.has(".success:has-text('Retrying failed items: 1')")
    wait_until(console.page, lambda: console.page.locator("td .chip:has-text('succeeded')").count() == 2)
    console.close()


def stuck_job(rig):
    """A job makes no progress because its worker hangs. The operator raises its priority, and cancels a job that is no longer needed."""
    console = Console(rig)
    pid = page_test.process("enrichment-worker")
    os.kill(pid, 19)
    faults([])
    stuck, _ = start(numbers(isbns(40)[20:40]))
    unwanted, _ = start([{"title": "Emma"}, {"title": "Persuasion"}])
    console.has(".banner.is-degraded:has-text('enrichment-worker')")
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
    console.has(f"#view h1:has-text('{unwanted}')")
    console.page.click("button:has-text('Cancel')")
    console.page.keyboard.press("Escape")
    assert console.page.locator("#view .success").count() == 0, "Escape changes nothing"
    console.page.click("button:has-text('Cancel')")
    console.page.click("#confirm button:has-text('Cancel now')")
    console.has(".success:has-text('Job cancelled')")
    console.has("#view .chip:has-text('cancelled')")
    os.kill(pid, 18)
    console.go(f"job/{stuck}")
    console.has("#view .chip:has-text('completed')")
    console.go("overview")
    console.has(".banner.is-ready")
    console.go("audit")
    for text in ("prioritize high", "cancel", "login"):
        console.has(f"td:has-text('{text}')")
    serious(console.page, "audit")
    console.close()


def use_up(provider):
    """Marks the provider's whole daily budget as used."""
    page_test.stop("enrichment-worker")
    day = datetime.datetime.now(zoneinfo.ZoneInfo("America/Los_Angeles")).strftime("%Y-%m-%d")
    with sqlite3.connect(f"{page_test.WORK}/data/cache.sqlite") as database:
        database.execute("INSERT OR REPLACE INTO daily_usage(provider, day, used) VALUES (?, ?, 1000)", (provider, day))
    database.close()
    page_test.restart("enrichment-worker", isStopped=True)


def exhausted_budget(rig):
    """The configured daily budget is used up: the operator allows more requests, and retries the books that failed because of it."""
    use_up("google-books")
    job, _ = start([{"title": f"Nothing knows this {number}", "author": "Somebody"} for number in range(3)])
    console = Console(rig, "providers")
    card = ".provider:has-text('google-books')"
    console.has(f"{card} .chip:has-text('budget used up')")
    console.has(f"{card} dd:has-text('resets in')")
    console.go("doctor")
    console.has(".findings li:has-text('google-books'):has-text('daily budget')")
    console.go(f"job/{job}")
    console.has("td:has-text('QUOTA_EXHAUSTED')")
    console.go("providers")
    console.page.click("#allow-google-books")
    # A client may use only a part of what is left, so fewer requests would not suffice for the checks that follow.
    console.page.fill("#confirm-value", "500")
    serious(console.page, "a confirmation dialog with a number")
    console.page.keyboard.press("Enter")
    console.has(".success:has-text('500 requests are left today')")
    console.has(f"{card} .chip.is-good")
    console.go(f"job/{job}")
    # A job cannot be retried before its end.
    console.has(OVER)
    console.page.click("button:has-text('Retry failed')")
    console.page.click("#confirm button:has-text('Retry')")
    # Google Books was queried: no provider has the books, which is final.
    console.has("td:has-text('NOT_FOUND')")
    console.go("audit")
    console.has("tr:has-text('allow 500'):has-text('google-books')")
    console.close()


def exhausted_quota(rig):
    """The provider's own quota is used up and then raised by the provider: the operator resumes calls before the next scheduled attempt."""
    faults([{"provider": "googlebooks", "kind": "quota", "code": 429}])
    job, _ = start([{"title": f"Nothing knows that one {number}", "author": "Somebody"} for number in range(3)])
    console = Console(rig, "providers")
    card = ".provider:has-text('google-books')"
    console.has(f"{card} .chip:has-text('quota')")
    console.has(f"{card} dd:has-text('next try in')")
    console.go("doctor")
    console.has(".findings li:has-text('google-books') .advice:has-text('resume automatically')")
    faults([])
    console.go("providers")
    console.page.click("#resume-google-books")
    console.page.click("#confirm button:has-text('Call again')")
    console.has(f"{card} .chip.is-good")
    # A later successful call of this job would end the refusal that the next check needs.
    console.go(f"job/{job}")
    console.has(OVER)
    console.close()


def wrong_key(rig):
    """The key is wrong: the operator replaces it, and no key is ever shown."""
    faults([{"provider": "googlebooks", "kind": "invalidKey", "path": "key=test"}])
    job, _ = start([{"title": f"Nobody has heard of {number}", "author": "Somebody"} for number in range(3)])
    console = Console(rig, "providers")
    card = ".provider:has-text('google-books')"
    console.has(f"{card} .notice:has-text('BOOKSTRACK_GOOGLE_BOOKS_API_KEY')")
    console.go("doctor")
    console.has(".findings .is-problem:has-text('google-books') .advice:has-text('BOOKSTRACK_GOOGLE_BOOKS_API_KEY')")
    console.go("settings")
    console.page.fill("#find", "google_books_api_key")
    console.has("tr:has-text('BOOKSTRACK_GOOGLE_BOOKS_API_KEY'):has-text('set'):has-text('environment')")
    assert "test" not in console.page.locator("tr:has-text('BOOKSTRACK_GOOGLE_BOOKS_API_KEY')").first.inner_text(), "a key is never shown"
    serious(console.page, "settings")
    console.go("providers")
    console.page.click("#key-google-books")
    console.page.fill("#confirm-value", "another-key")
    serious(console.page, "a confirmation dialog with a key")
    console.page.keyboard.press("Enter")
    console.has(".success:has-text('until the worker restarts')")
    console.has(f"{card} .chip.is-good")
    console.has(f"{card} .notice:has-text('key from the console')")
    assert console.page.locator("#confirm input").count() == 0, "the key does not remain in the page"
    console.go(f"job/{job}")
    console.has(OVER)
    console.page.click("button:has-text('Retry failed')")
    console.page.click("#confirm button:has-text('Retry')")
    console.has("td:has-text('NOT_FOUND')")
    console.go("doctor")
    console.has(".findings .is-warning:has-text('lost at the next restart')")
    console.go("audit")
    console.has("tr:has-text('useKey'):has-text('google-books')")
    console.go("tail?last=1000")
    console.has(".events > li:has-text('providers.operate')")
    faults([])
    for log in glob.glob(f"{page_test.WORK}/*.log"):
        if "emulator" not in log:
            assert "another-key" not in open(log, encoding="utf-8").read(), log
    events = console.page.evaluate("fetch('/console/api/audit').then((answer) => answer.text())")
    assert "another-key" not in events, "the audit log does not contain the key"
    console.close()


def report(isbn, fields, note):
    body = json.dumps({"isbn": isbn, "fields": fields, **({"note": note} if note else {})}).encode()
    urllib.request.urlopen(urllib.request.Request(f"{URL}/v1/reports/missing-metadata", body, {"Content-Type": "application/json"})).read()


def analytics(rig):
    job, _ = start(numbers(isbns(100)[90:98] + ["9780000000002"]))
    report("9780441172719", ["cover"], XSS[1])
    console = Console(rig, f"job/{job}")
    console.has("#view .chip:has-text('completed')")
    console.go("analytics")
    console.has(".target:has-text('ISBNs with a book') meter")
    assert console.page.locator(".target").count() == 4
    console.has("caption:has-text('openlibrary')")
    console.has(".graph:has-text('Matches and covers')")
    today = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    console.has(f"tr:has-text('{today}'):has-text('Enrichment')")
    console.has("tr:has-text('9780441172719'):has-text('onerror'):has-text('cover')")
    serious(console.page, "analytics")
    console.page.select_option("#pipeline", "ai_scan")
    console.has(".empty:has-text('No results'), tr:has-text('Scan')")
    assert "pipeline=ai_scan" in console.page.url
    console.go("providers")
    console.has(".provider:has-text('openlibrary') dt:has-text('Responses used')")
    console.close()


def library(rig):
    """Imports a file on the readers' page; returns the identifier of its job."""
    path = page_test.write("Mijn boeken.csv", "Titel,Schrijver,ISBN,Plank,Kleur\n" + "\n".join(
        f"{title},{author},{isbn},Woonkamer,rood" for title, author, isbn in [("Dune", "Frank Herbert", "9780441172719"), ("The Hobbit", "J.R.R. Tolkien", "9780618260300")]) + "\n")
    page = rig.open(rig.context(), URL)
    page.set_input_files("#file", path)
    page.wait_for_selector("#preview table")
    with page.expect_response("**/v1/csv/import") as answer:
        page.click("button:has-text('Import 2 rows')")
    job = answer.value.json()["data"]["jobId"]
    page.context.close()
    return job


def imported(rig):
    """How the columns of a file were read, and the job that looks up its books."""
    console = Console(rig, f"job/{library(rig)}")
    console.has("h2:has-text('Imported file')")
    console.has("dd:has-text('Mijn boeken.csv')")
    for column, role in (("Titel", "Title"), ("Schrijver", "Author"), ("ISBN", "ISBN"), ("Kleur", "not used")):
        console.has(f"tr:has-text('{column}') td:has-text('{role}')")
    console.has("tr:has-text('Titel') td:has-text('by its name')")
    console.has("dt:has-text('Rows') + dd:has-text('2 books')")
    serious(console.page, "an import")
    console.page.click("dt:has-text('Looked up by') + dd a")
    console.has("td:has-text('Dune')")
    console.close()


def scan(rig):
    """Adds a photo on the readers' page; returns the identifier of its job."""
    photo = page_test.photo(rig.browser)
    page = rig.open(rig.context(), URL)
    page.set_input_files("#photos", photo)
    page_test.finished(page)
    job = page.url.split("#job=")[1]
    page.context.close()
    return job


def scanned(rig):
    """A scan's photo with a box around each spine, numbered like its books."""
    console = Console(rig, f"job/{scan(rig)}")
    console.has(".shots img:not([hidden])")
    console.has(".shots .box.is-found rect")
    console.has("#view .chip:has-text('completed')")
    rows = console.page.locator("#view .tablebox:has(caption:has-text('Books in the job')) tbody tr")
    # The books are loaded after the head, which shows the end of the job.
    wait_until(console.page, lambda: console.page.locator(".shots .box").count() == rows.count() > 0)
    left = console.page.locator(".shots .frame").first.evaluate(page_test.LEFT_OF_BOX)
    assert abs(left - 0.11) < 0.01, left
    serious(console.page, "a scan")
    console.close()


def live(rig):
    """A job is followed through its events, even across a restart of progress-host, and is not polled every two seconds after its end."""
    faults([{"provider": "openlibrary", "kind": "slow", "milliseconds": 2500}])
    job, _ = start(numbers(isbns(5000)[3000:5000]))
    console = Console(rig, "jobs")
    asked = []
    console.page.on("request", lambda request: asked.append(request.url))
    with console.page.expect_request("**/events?*"):
        console.go(f"job/{job}")
    bar = console.page.locator("#view progress")
    wait_until(console.page, lambda: bar.count() and bar.evaluate("bar => bar.value") > 20)
    console.has("td:has-text('console page')")
    rig.expected = "net::ERR_|status of 50"
    page_test.restart("progress-host")
    value = bar.evaluate("bar => bar.value")
    wait_until(console.page, lambda: bar.evaluate("bar => bar.value") > value)
    faults([])
    console.has("#view .chip:has-text('completed')")

    def rests():
        asked.clear()
        console.page.wait_for_timeout(5000)
        return asked == []

    # A late event or a check after 15 seconds may cause a request. If the job were polled every two seconds, there would be no pause of five.
    wait_until(console.page, rests)
    console.close()


def searches(rig):
    job, _ = start([{"title": "A very particular title", "author": "X"}])
    console = Console(rig, "jobs")
    console.page.fill("#q", "PARTICULAR title")
    console.page.keyboard.press("Enter")
    # The whole list contains the job, too.
    console.has(f"#job-list:not(:has(tbody tr:nth-child(2))) a[href='#job/{job}']")
    assert console.page.locator("tbody tr").count() == 1
    assert console.page.evaluate("document.activeElement.id") in ("q", "view-title")
    console.page.fill("#q", job[:12])
    console.page.keyboard.press("Enter")
    console.has(f"a[href='#job/{job}']")
    console.page.fill("#q", "no such title anywhere")
    console.page.keyboard.press("Enter")
    console.has(".empty:has-text('No matching jobs')")
    console.go("jobs")
    console.page.select_option("#pipeline", "ai_scan")
    console.has("#view .empty, tbody tr")
    assert "pipeline=ai_scan" in console.page.url
    console.close()


def tails(rig):
    console = Console(rig, "tail")
    console.has(".events > li")
    job, _ = start(numbers(isbns(60)[50:53]))
    console.has(f".events a[href='#job/{job}']") if console.page.locator(".events details[open]").count() else None
    console.page.fill("#job", job)
    console.page.keyboard.press("Enter")
    console.has(".events > li:has-text('jobs.create')")
    console.page.locator(".events summary").first.click()
    console.has(f".events details[open] a[href='#job/{job}']")
    serious(console.page, "tail")
    console.page.click("button:has-text('Pause')")
    console.has("[role=status]:has-text('Paused')")
    rig.expected = "status of 50|net::ERR"
    page_test.restart("progress-host")
    console.has("[role=status]:has-text('Following api-proxy')")
    console.close()


def attacks(rig):
    """Titles, authors and log messages stay plain text in every view."""
    rig.expected = "status of 40"
    job, _ = start([{"title": attack, "author": attack} for attack in XSS])
    console = Console(rig, f"job/{job}")
    console.has("td:has-text('onerror')")
    console.has(OVER)
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
    """A hidden tab sends no requests in any view, and its tail and job event streams also end. A visible tab continues."""
    faults([{"provider": "openlibrary", "kind": "slow", "milliseconds": 1500}])
    job, _ = start(numbers(isbns(1400)[900:1400]))
    console = Console(rig)
    asked, pending = page_test.watch(console.page)
    for view in VIEWS + [f"job/{job}"]:
        console.go(view)
        console.settled()
        console.page.evaluate("""Object.defineProperty(document, "hidden", { configurable: true, get: () => window.away === true });
            window.away = true; document.dispatchEvent(new Event("visibilitychange"))""")
        page_test.await_rest(console.page, pending)
        asked.clear()
        console.page.wait_for_timeout(6000 if view in ("overview", "tail") else 3000 if "job/" in view else 500)
        assert asked == [], (view, asked)
        console.page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    wait_until(console.page, lambda: any("/events?" in url for url in asked))
    console.go("tail")
    wait_until(console.page, lambda: any("/tail?" in url for url in asked))
    faults([])
    console.close()


def keyboard(rig):
    """Each view, a job and an action, using only the keyboard."""
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
        raise AssertionError(f"{wanted} was not reached; the focus is on {focused()}")

    page.reload()
    page.wait_for_selector(".banner")
    page.keyboard.press("Tab")
    assert focused() == "Skip to content", focused()
    for name in ("Jobs", "Failures", "Providers", "Analytics", "Tail", "Doctor", "Settings", "Audit log"):
        tab_to(name)
        page.keyboard.press("Enter")
        wait_until(page, lambda: focused() == "view-title")
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
    """No view is wider than the window, light or dark, and axe finds no serious problems."""
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
    ("the login works on both listeners", logs_in),
    ("a failing provider is found, and called again once it responds", dead_provider),
    ("failed books are found by their reason, and retried", failed_books),
    ("a stuck job is found and prioritized, and another job is cancelled", stuck_job),
    ("an exhausted budget is found, and raised", exhausted_budget),
    ("a provider's exhausted quota is found, and calls are resumed", exhausted_quota),
    ("a wrong key is found and replaced, and no key is shown", wrong_key),
    ("analytics show targets, providers, days and reports", analytics),
    ("an import is shown with its columns", imported),
    ("a scan is shown with boxes on its photo", scanned),
    ("a job is followed live across a restart, and hardly polled after its end", live),
    ("the overview shows readiness, processes and graphs", overview),
    ("jobs are searched and filtered", searches),
    ("the tail can be filtered and paused, and survives a restart", tails),
    ("titles, identifiers and log lines stay plain text", attacks),
    ("a hidden tab sends no requests", hidden),
    ("the console can be used with the keyboard only", keyboard),
    ("no view is wider than 320 pixels, light or dark", widths),
]


def pictures(rig, folder):
    import console_pictures
    console_pictures.take(rig, folder)


if __name__ == "__main__":
    sys.modules["console_test"] = sys.modules["__main__"]
    import console_behavior_test
    sys.exit(page_test.main(CHECKS + console_behavior_test.CHECKS, ConsoleRig, pictures))
