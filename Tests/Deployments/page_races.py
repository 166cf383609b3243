"""The readers' page when responses are late, are refused once, or arrive after the reader has moved on; see Tests/Deployments/page."""

import json

from page_mishaps import refuse
from page_test import URL, await_providers, faults, finished, isbns, look_up, photo, wait_until, write


def held(page, address, times=1):
    """Holds the responses to requests for an address; returns a list of their routes, which grows as requests are sent."""
    routes = []
    page.route(address, lambda route: routes.append(route), times=times)
    return routes


def imported(page, name, text):
    rows = len(text.splitlines()) - 1
    page.set_input_files("#file", write(name, text))
    page.click(f"button:has-text('Import {rows} row')")
    finished(page)


def reasons(rig):
    """After a retry, a file's book that is still missing shows the new reason, and can no longer be retried if that reason is permanent."""
    context = rig.context()
    page = rig.open(context)
    rig.expected = "status of 50"
    # No other check requests this book, so its result is not in the cache.
    [isbn] = isbns(7304)[7303:]
    faults([{"isbn": isbn, "kind": "status", "code": 500}])
    imported(page, "reasons.csv", f"Title,Author,ISBN13\nDune,Frank Herbert,9780441172719\nQzxvw Unheard,Qzxvw,{isbn}\n")
    retry = "#job button:has-text('Retry failed')"
    page.wait_for_selector(retry)
    faults([{"isbn": isbn, "kind": "missing"}])
    # A retry keeps the old reason while a circuit breaker is open.
    await_providers(page)
    page.click(retry)
    page.wait_for_selector("#job .jobstate:has-text('Nothing new was found.')")
    assert not page.is_visible(retry)
    page.click("#job .cell:has-text('Not found') button")
    page.wait_for_selector("#book .notice:has-text('Not found by')")
    faults([])
    context.close()


def early(rig):
    """A download that is requested while the books are still being loaded starts when they are there."""
    context = rig.context()
    page = rig.open(context)
    look_up(page, ["9780441172719"])
    finished(page)
    page.goto(f"{URL}/#home")
    page.reload()
    results = held(page, "**/v1/enrichment/results/**")
    page.click("#jobs li:first-child a")
    wait_until(page, lambda: results)
    page.click("#job button:has-text('CSV')")
    with page.expect_download() as download:
        results[0].continue_()
    with open(download.value.path(), encoding="utf-8") as file:
        assert "9780441172719" in file.read()
    context.close()


def incomplete(rig):
    """If the lookup's results are refused temporarily, a download reports this instead of leaving them out."""
    context = rig.context()
    page = rig.open(context)
    rig.expected = "status of 429"
    imported(page, "incomplete.csv", "Title,Author,ISBN13\nDune,Frank Herbert,9780441172719\n")
    page.wait_for_selector("#job .cell")
    link = page.evaluate("JSON.parse(localStorage['bookstrack.jobs'])[0].link.id")
    page.route(f"**/v1/jobs/{link}/results", refuse, times=1)
    page.click("#job button:has-text('JSON')")
    page.wait_for_selector("#job .notice:has-text('Too many requests')")
    with page.expect_download() as download:
        page.click("#job button:has-text('JSON')")
    with open(download.value.path(), encoding="utf-8") as file:
        assert len(json.load(file)["enrichedBooks"]) == 1
    context.close()


def entries(rig):
    """Going back closes a book even if a book was open when the page was reloaded, and closing one goes back by only one entry."""
    context = rig.context()
    page = rig.open(context)
    look_up(page, ["9780441172719"])
    finished(page)
    page.click("#job .cell button")
    page.wait_for_selector("#book[open]")
    page.reload()
    page.click("#job .cell button")
    page.wait_for_selector("#book[open]")
    page.go_back()
    page.wait_for_selector("#book:not([open])", state="attached")
    assert page.is_visible("#job")
    page.click("#job .cell button")
    page.wait_for_selector("#book[open]")
    page.click("#book button:has-text('Close')")
    page.wait_for_selector("#book:not([open])", state="attached")
    page.wait_for_timeout(300)
    assert page.is_visible("#job"), "closing goes back by one entry only"
    context.close()


def photos(rig):
    """A photo is requested once, however often the scan is drawn until it arrives."""
    context = rig.context()
    page = rig.open(context)
    faults([{"provider": "gemini", "kind": "slow", "milliseconds": 2000}])
    pictures = held(page, "**/v1/scan/photos/**", times=20)
    # No other check sends this photo, so the model's answer is not in the cache.
    page.set_input_files("#photos", photo(rig.browser, height=840))
    finished(page)
    page.wait_for_selector("#job .spine")
    assert len(pictures) == 1, [route.request.url for route in pictures]
    pictures[0].continue_()
    page.wait_for_selector("#job .frame img:not([hidden])")
    faults([])
    context.close()


def left(rig):
    """If an import fails after the reader has left its preview, the start page says so."""
    context = rig.context()
    page = rig.open(context)
    rig.expected = "status of 429"
    sent = held(page, "**/v1/csv/import")
    page.set_input_files("#file", write("left.csv", "Title,Author\nDune,Frank Herbert\n"))
    page.click("button:has-text('Import 1 row')")
    wait_until(page, lambda: sent)
    page.click("a:has-text('← Back')")
    refuse(sent[0])
    page.wait_for_selector("#problem:has-text('“left.csv” was not imported.')")
    context.close()


def covers(rig):
    """A cover whose host did not respond in time is requested again when the shelf is drawn again."""
    context = rig.context()
    page = rig.open(context)
    rig.expected = "status of 504"
    page.route("**/images/proxy?*", lambda route: route.fulfill(status=504))
    with page.expect_response("**/images/proxy?*"):
        look_up(page, ["9780441172719"])
    finished(page)
    page.unroute("**/images/proxy?*")
    page.click("a:has-text('← Home')")
    page.click("#jobs li:first-child a")
    page.wait_for_selector("#job .cover img:not([hidden])")
    context.close()


def requests(rig):
    """On /docs, a late response to an earlier request does not replace the response to the newest one."""
    context = rig.context()
    page = rig.open(context, "/docs")
    page.click("#searchByISBN > summary")
    form, shown = page.locator("#searchByISBN form"), page.locator("#searchByISBN [aria-live]")
    first = held(page, "**/v1/search/isbn?*")
    form.locator("[name=isbn]").fill("9780441172719")
    form.locator("button:has-text('Send')").click()
    wait_until(page, lambda: first)
    form.locator("[name=isbn]").fill("9780618260300")
    form.locator("button:has-text('Send')").click()
    wait_until(page, lambda: "9780618260300" in shown.inner_text())
    with page.expect_response("**isbn=9780441172719*"):
        first[0].continue_()
    page.wait_for_timeout(300)
    assert "9780441172719" not in shown.inner_text()
    context.close()


def decisions(rig):
    """A decision stays with its book if a retry leaves out an earlier book, and the downloaded results contain it under the book's new index."""
    context = rig.context()
    page = rig.open(context)
    page.set_input_files("#photos", photo(rig.browser))
    finished(page)
    page.wait_for_selector("#job .spine.is-review")
    decision = page.locator("#job .spine.is-review input[type=radio], #job .spine.is-review button:has-text('Approve')").first
    place = decision.evaluate("(node) => [...document.querySelectorAll('#job .spine')].indexOf(node.closest('.spine'))")
    assert place > 0, "a book precedes the one to review"
    decision.click()
    page.wait_for_selector("#job .status:has-text('0 to review')")

    def shorten(route):
        answer = route.fetch()
        body = answer.json()
        del body["data"]["books"][0]
        route.fulfill(response=answer, json=body)

    page.route("**/v1/jobs/*/results", shorten)
    page.route("**/v1/scan/results/*", shorten)
    page.reload()
    page.wait_for_selector("#job .status:has-text('2 approved, 0 to review')")
    assert page.locator("#job .spine").count() == 2
    with page.expect_download() as download:
        page.click("#job button:has-text('JSON')")
    with open(download.value.path(), encoding="utf-8") as file:
        assert list(json.load(file)["choices"]) == [str(place - 1)]
    context.close()


CHECKS = [
    ("after a retry, a missing book of a file shows the new reason", reasons),
    ("a download starts when the books that are still being loaded are there", early),
    ("a download is never incomplete because of a refused request", incomplete),
    ("going back closes a book, also after a reload", entries),
    ("a photo is requested once, however often the scan is drawn", photos),
    ("a decision about a scanned book stays with it if a retry changes the results", decisions),
    ("an import that fails after its preview was left is reported", left),
    ("a cover whose host was late is requested again", covers),
    ("/docs shows the response to the newest request", requests),
]
