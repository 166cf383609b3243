"""Scans photos of shelves with known titles, and compares the results with them.

    shelf_photos.py catalog LIST        writes a book list that includes the books on the photos, for the provider emulator
    shelf_photos.py scan URL ADMIN EMULATOR   scans the photos in $BOOKSTRACK_TEST_DATA, prints a table, and fails if a target is missed
"""

import csv
import json
import os
import re
import sys
import time
import unicodedata
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

PHOTOS = Path(os.environ["BOOKSTRACK_TEST_DATA"]) / "bookshelf_photos"
GOODBOOKS = Path(os.environ["BOOKSTRACK_TEST_DATA"]) / "goodbooks10k"
# Minimum shares of the true titles that must be read and that must be matched, and the maximum share of approved books that may be wrong.
LEAST_READ, LEAST_MATCHED, MOST_WRONG = 0.9, 0.8, 0.01
MOST_QUESTIONS = 2.0  # Requests to providers, per spine.
SLIPS = 5  # One letter in this many may be misread.

Book = tuple[str, str]  # A title without its subtitle, and the last name of the first author, both folded.


def folded(text: str) -> str:
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", " ", plain.replace("'", "").replace("&", " and ")).strip()


def book(title: str, author: str) -> Book:
    main = folded(title.split(":")[0])
    return re.sub(r"^(the|a|an) ", "", {"1984": "nineteen eighty four"}.get(main, main)), folded(author).split(" ")[-1]


def works() -> dict[str, tuple[str, str]]:
    """Title and authors of the work for each true title."""
    lines = Path(__file__).with_name("shelf_books.tsv").read_text().splitlines()
    return {title: (work, authors) for title, work, authors in (line.split("\t") for line in lines if not line.startswith("#"))}


def isbn(number: int) -> str:
    digits = f"97999{number:07d}"
    return digits + str(-sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(digits)) % 10)


def write_catalog(target: Path) -> None:
    with open(next(GOODBOOKS.glob("*.csv")), newline="", encoding="utf-8") as source, open(target, "w", newline="", encoding="utf-8") as file:
        rows = csv.DictReader(source)
        writer = csv.DictWriter(file, list(rows.fieldnames or []))
        writer.writeheader()
        for number, (title, authors) in enumerate(works().values()):
            writer.writerow({"isbn": isbn(number), "title": title, "original_title": title, "authors": authors, "language_code": "eng"})
        writer.writerows(rows)


def fetch(url: str, body: bytes | None = None, token: str = "") -> Any:
    headers = {"Content-Type": "image/jpeg"} | ({"Authorization": f"Bearer {token}"} if token else {})
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=60) as answer:
        text = answer.read().decode()
        return json.loads(text) if answer.headers.get_content_type() == "application/json" else text


def scan(url: str, photo: Path) -> dict[str, Any]:
    started = fetch(f"{url}/api/scan-bookshelf", photo.read_bytes())["data"]
    deadline = time.monotonic() + 240
    while fetch(f"{url}/v1/jobs/{started['jobId']}", token=started["token"])["data"]["status"] not in ("completed", "failed"):
        if time.monotonic() > deadline:
            raise SystemExit(f"{photo.name} was not scanned within 240 s")
        time.sleep(0.2)
    try:
        return fetch(f"{url}/v1/scan/results/{started['jobId']}")["data"]
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{photo.name}: {error.read().decode()}") from error


def is_on(word: str, text: str) -> bool:
    """Whether a word is in a text without spaces, allowing one wrong letter in every SLIPS."""
    row = [0] * (len(text) + 1)
    for place, letter in enumerate(word, 1):
        last, row[0] = row[:], place
        for column, other in enumerate(text, 1):
            row[column] = min(last[column - 1] + (letter != other), last[column] + 1, row[column - 1] + 1)
    return min(row) <= len(word) // SLIPS


def is_read(title: str, spines: list[str]) -> bool:
    """Whether words with at least 80 % of a title's letters are on one spine; words of one or two letters do not count if there are longer ones."""
    words = [word for word in folded(title).split() if len(word) > 2] or folded(title).split()
    found = max((sum(len(word) for word in words if is_on(word, spine)) for spine in spines), default=0)
    return found >= 0.8 * sum(map(len, words))


def reading_seconds(admin: str) -> float:
    lines = fetch(f"{admin}/metrics").splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("bookstrack_photo_reading_duration_seconds_sum"))


def questions(emulator: str) -> int:
    entries = [json.loads(line) for line in fetch(f"{emulator}/_emulator/log").splitlines()]
    return sum(1 for entry in entries if "/search.json" in entry["path"] or "/volumes" in entry["path"])


def report(url: str, admin: str, emulator: str) -> bool:
    known, totals, spines_in_all = works(), [0, 0, 0, 0, 0], 0
    print(f"{'photo':<20}{'titles':>7}{'read':>6}{'matched':>9}{'approved':>10}{'wrong':>7}{'seconds':>9}")
    for list_of_titles in sorted(PHOTOS.glob("*.titles.txt")):
        name = list_of_titles.name.removesuffix(".titles.txt")
        titles = sorted({title for title in list_of_titles.read_text().splitlines() if title})
        before = reading_seconds(admin)
        results = scan(url, PHOTOS / f"{name}.jpg")
        spines_in_all += sum(photo["booksFound"] for photo in results["photos"])
        truth = {title: book(known[title][0], known[title][1].split(", ")[0]) for title in titles}
        found = [(entry, book(entry["title"], entry["author"])) for entry in results["books"] if entry["enrichmentStatus"] == "success"]
        unread = [title for title in titles if not is_read(title, [folded(entry["text"]).replace(" ", "") for entry in results["books"]])]
        unmatched = [title for title in titles if truth[title] not in [which for _, which in found]]
        approved = [which for entry, which in found if entry["reviewStatus"] == "verified"]
        wrong = [which for which in approved if which not in truth.values()]
        figures = [len(titles), len(titles) - len(unread), len(titles) - len(unmatched), len(approved), len(wrong)]
        totals = [one + other for one, other in zip(totals, figures)]
        print("{:<20}{:>7}{:>6}{:>9}{:>10}{:>7}{:>9.1f}".format(name, *figures, reading_seconds(admin) - before))
        for kind, list_of_books in (("not read", unread), ("not matched", unmatched), ("wrong", wrong)):
            if list_of_books:
                print(f"  {kind}: {list_of_books}")
    titles_in_all, read, matched, approved_in_all, wrong_in_all = totals
    print("{:<20}{:>7}{:>6}{:>9}{:>10}{:>7}".format("all", *totals))
    asked = questions(emulator) / max(1, spines_in_all)
    print(f"{read / titles_in_all:.0%} read, {matched / titles_in_all:.0%} matched, {wrong_in_all} of {approved_in_all} approved wrongly, ", end="")
    print(f"{asked:.1f} requests to providers per spine")
    return (
        read >= LEAST_READ * titles_in_all
        and matched >= LEAST_MATCHED * titles_in_all
        and wrong_in_all <= MOST_WRONG * approved_in_all
        and asked <= MOST_QUESTIONS
    )


if __name__ == "__main__":
    if sys.argv[1] == "catalog":
        write_catalog(Path(sys.argv[2]))
    else:
        sys.exit(0 if report(*sys.argv[2:5]) else 1)
