"""Screenshots of each state of the readers' page, at three widths, light and dark, for review and for deploy/docs/page.md.

The emulated covers are plain gray; the screenshots show drawn covers instead."""

import colorsys
import hashlib
import urllib.parse

import page_test

WIDTHS = {320: 720, 768: 1024, 1440: 900}


def drawn_cover(route):
    address = urllib.parse.parse_qs(urllib.parse.urlparse(route.request.url).query)["url"][0]
    seed = hashlib.sha256(address.encode()).digest()
    ground, ink = (
        "#%02x%02x%02x" % tuple(int(255 * part) for part in colorsys.hls_to_rgb(seed[0] / 255, lightness, 0.42)) for lightness in (0.32, 0.78))
    x, y, size = 40 + seed[1] % 120, 90 + seed[2] % 120, 30 + seed[3] % 50
    shapes = [
        f"<circle cx='{x}' cy='{y}' r='{size}'/><rect y='{y}' width='200' height='6'/>",
        f"<path d='M0 300 L{x} {y} L200 300z'/><circle cx='{200 - x}' cy='60' r='22'/>",
        f"<rect x='{x / 2}' y='{y / 2}' width='{size}' height='200'/><rect x='{x / 2 + size + 12}' y='{y}' width='{size / 2}' height='160'/>",
        "".join(f"<rect x='20' y='{40 + 22 * line}' width='{60 + (seed[4 + line] % 100)}' height='8'/>" for line in range(9)),
    ]
    route.fulfill(content_type="image/svg+xml", body=f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 200 300'><rect width='200' height='300' "
                  f"fill='{ground}'/><g fill='{ink}' opacity='.85'>{shapes[seed[5] % 4]}</g></svg>")


def take(rig, folder):
    shelf = page_test.photo(rig.browser)
    unknown = page_test.write("My list.csv", "Naam,Bladzijden,Wie\nDune,535,Frank Herbert\nThe Hobbit,366,J.R.R. Tolkien\nJane Eyre,532,Charlotte Brontë\n")
    for width, height in WIDTHS.items():
        for scheme in ("light", "dark"):
            context = rig.context(width, height, color_scheme=scheme)
            context.route("**/images/proxy?*", drawn_cover)
            page = rig.open(context)

            def save(state, whole=False):
                page.mouse.move(0, 0)
                page.wait_for_timeout(500)
                page.screenshot(path=f"{folder}/{state}-{width}-{scheme}.png", full_page=whole)

            save("empty")
            page.fill("#isbn-list", "12345")
            page.click("#isbns button")
            save("problem")
            page.fill("#query", "the")
            page.keyboard.press("Enter")
            page.wait_for_selector("#results .cover img:not([hidden])")
            save("search")
            page.goto(f"{page_test.URL}/#home")
            page.set_input_files("#file", unknown)
            page.wait_for_selector("#preview table")
            save("preview")
            page.set_input_files("#file", page_test.SAMPLE, strict=False)
            page.wait_for_selector("#role-20")
            page.click("button:has-text('Import 15 rows')")
            page_test.finished(page)
            page.wait_for_selector("#job .cover img:not([hidden])")
            save("library")
            page.click("#job .cell:nth-child(2) button")
            save("book")
            page_test.close_book(page)
            page.click("#job summary")
            page.wait_for_selector("#job .chart rect")
            save("insights", whole=width < 1000)
            page.set_input_files("#photos", shelf, strict=False)
            page.wait_for_selector("#job .box rect")
            page.wait_for_selector("#job .picture img:not([hidden])")
            save("scan", whole=width < 1000)
            page_test.look_up(page, ["9780441172719", "9780000000002", "9780618260300"])
            page_test.finished(page)
            save("list")
            page_test.faults([{"provider": "openlibrary", "kind": "slow", "milliseconds": 2500}])
            # ISBNs that no other screenshot and no check has requested, so their results are not in the cache.
            first = 6000 + width + (100 if scheme == "dark" else 0)
            page_test.look_up(page, page_test.isbns(first + 60)[first:])
            page.wait_for_timeout(700)
            save("running")
            page.goto(f"{page_test.URL}/#home")
            save("home")
            page_test.faults([])
            context.close()
