"""Pictures of each view of the console, at three widths, light and dark, for people to look at and for deploy/docs/console.md."""

import console_test
import page_test
from page_pictures import WIDTHS


def take(rig, folder):
    page_test.faults([{"isbn": "9780141439587", "kind": "status", "code": 500}])
    for number in range(14):
        console_test.start(console_test.numbers(page_test.isbns(400)[number * 20 : number * 20 + 5 + number]))
    job, _ = console_test.start(console_test.numbers(["9780441172719", "9780141439587", "9780000000002", "9780618260300"]) + [{"title": "The Great Gatsby"}])
    page_test.faults([{"provider": "openlibrary", "kind": "slow", "milliseconds": 1500}])
    console_test.start(console_test.numbers(page_test.isbns(1500)[400:1400]))
    for width, height in WIDTHS.items():
        for scheme in ("light", "dark"):
            console = console_test.Console(rig, width=width, height=height, color_scheme=scheme)
            for view in console_test.VIEWS + [f"job/{job}"]:
                console.go(view)
                console.settled()
                console.page.wait_for_timeout(500)
                console.page.screenshot(path=f"{folder}/{view.split('/')[0]}-{width}-{scheme}.png", full_page=width < 1000)
            console.close()
    page_test.faults([])
