"""Screenshots of each view of the console, at three widths, light and dark, for review and for deploy/docs/console.md."""

import math
import sqlite3
import time

import console_test
import page_test
from page_pictures import WIDTHS


def past(days):
    """Writes counts for earlier days into the database, so there is something to compare."""
    page_test.stop("progress-host")
    today = int(time.time() // 86400)
    with sqlite3.connect(f"{page_test.WORK}/data/jobs.sqlite") as database:
        for day in range(today - days, today):
            wave = math.sin(day * 0.9)
            books = int(1900 + 600 * wave + 37 * (day % 7))
            found = int(books * (0.955 + 0.02 * wave))
            covers, known, google = int(found * (0.83 + 0.05 * wave)), int(found * (0.72 + 0.04 * wave)), books // 3
            database.execute("INSERT INTO quality_day VALUES (?, 'batch_enrichment', ?, ?, ?, ?, ?, ?, ?, ?)",
                             (day, books, found, books, found, covers, found, known, int(found * (74 + 5 * wave))))
            for provider, asked, answered, used in (
                    ("openlibrary", books, books - 12, [found, found, int(covers * 0.9), int(found * 0.4), int(found * 0.8), int(found * 0.9), int(found * 0.93), int(found * 0.7), int(found * 0.9)]),
                    ("google-books", google, google - 30, [google // 5, google // 5, google // 6, google // 2, google // 4, google // 9, google // 9, google // 5, google // 8]),
                    ("wikidata", found, found, [0, known, 0, 0, 0, 0, 0, 0, 0])):
                database.execute(f"INSERT INTO provider_day VALUES (?, 'batch_enrichment', ?, ?, ?{', ?' * len(used)})", (day, provider, asked, answered, *used))
    database.close()
    page_test.restart("progress-host", isStopped=True)


def take(rig, folder):
    past(29)
    page_test.faults([{"isbn": "9780141439587", "kind": "status", "code": 500}])
    for number in range(14):
        console_test.start(console_test.numbers(page_test.isbns(400)[number * 20 : number * 20 + 5 + number]))
    job, _ = console_test.start(console_test.numbers(["9780441172719", "9780141439587", "9780000000002", "9780618260300"]) + [{"title": "The Great Gatsby"}])
    for isbn, fields, note in (("9780441172719", ["cover"], "The cover is that of another edition"), ("9780141439587", ["description", "pageCount"], None)):
        console_test.report(isbn, fields, note)
    scan, library = console_test.scan(rig), console_test.library(rig)
    page_test.faults([{"provider": "openlibrary", "kind": "slow", "milliseconds": 1500}])
    console_test.start(console_test.numbers(page_test.isbns(1500)[400:1400]))
    for width, height in WIDTHS.items():
        for scheme in ("light", "dark"):
            console = console_test.Console(rig, width=width, height=height, color_scheme=scheme)
            for name, view in [(view, view) for view in console_test.VIEWS] + [("job", f"job/{job}"), ("scan", f"job/{scan}"), ("import", f"job/{library}")]:
                console.go(view)
                console.settled()
                console.page.wait_for_timeout(500)
                console.page.screenshot(path=f"{folder}/{name}-{width}-{scheme}.png", full_page=width < 1000)
            console.close()
    page_test.faults([])
