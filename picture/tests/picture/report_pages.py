# The pages of test_report_browser.sh in a browser: report_pages.py N_PICTURES, in a folder with page.html. Each check
# is shown to be able to fail on a page that was made wrong.
# SPDX-License-Identifier: Apache-2.0
import re
import sys

from browser import Browser

TITLE = "A report of <everything> & more"
# Drawing waits for the decoder; a picture that cannot be decoded leaves the canvas empty.
PROBE = """(function () {
    function drawn(image) {
        const canvas = document.createElement("canvas");
        const pen = canvas.getContext("2d");
        canvas.width = canvas.height = 16;
        if (image.naturalWidth > 1) pen.drawImage(image, 0, 0, 16, 16);
        return pen.getImageData(0, 0, 16, 16).data.some(v => v > 0);
    }
    const asked = performance.getEntriesByType("resource").filter(e => !e.name.startsWith("data:"));
    const wide = [...document.querySelectorAll(".wide img")];
    const heading = document.querySelector("h1");
    return {
        images: document.images.length,
        undecoded: [...document.images].filter(i => !drawn(i)).length,
        foreign: asked.length,
        wider: document.documentElement.scrollWidth > innerWidth,
        inner: innerWidth,
        title: document.title,
        heading: heading === null ? null : heading.textContent,
        wide: wide.length,
        narrow: wide.filter(i => i.width < Math.min(700, i.naturalWidth - 4)).length,
        ground: getComputedStyle(document.body).backgroundColor,
    };
})()"""
WHITE, DARK = "rgb(255, 255, 255)", "rgb(20, 23, 26)"


def check(holds, what):
    if not holds:
        sys.exit(f"FAILED: {what}")


def without_policy(page):
    """The page forbids scripts and the network; a copy without that line shows what would be asked."""
    return "".join(line for line in page.splitlines(True) if "Content-Security-Policy" not in line)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def check_page(browser, path, n_pictures):
    """Large pictures stay legible on a phone, since they scroll within the page, which is dark on dark screens."""
    screens = ((1000, False), (500, False), (400, False), (400, True))
    values, console = browser.visit(path, PROBE, *screens)
    check(not console, f"the browser complains about {path}: {console}")
    for (width, dark), found in zip(screens, values):
        check(found["inner"] == width, f"the window is {found['inner']} wide, not {width}")
        check(found["title"] == TITLE and found["heading"] == TITLE, f"the title is {found['title']}")
        check(found["images"] == n_pictures, f"{found['images']} images, {n_pictures} pictures")
        check(found["undecoded"] == 0, f"{found['undecoded']} images cannot be decoded")
        check(found["foreign"] == 0, f"{found['foreign']} things were asked of the network")
        check(not found["wider"], f"the page is wider than {width}")
        check(found["wide"] > 2 and found["narrow"] == 0, f"a large picture is made small at {width}")
        check(found["ground"] == (DARK if dark else WHITE), f"the ground at {width} is {found['ground']}")


def check_wrong(browser, page):
    wrong = page.replace("min-width:min(44rem", "min-width:min(4rem")
    wrong = wrong.replace("prefers-color-scheme:dark", "prefers-contrast:more")
    (found,), _ = browser.visit(write("wrong.html", wrong), PROBE, (400, True))
    check(found["narrow"] > 0 and found["ground"] == WHITE, "a bad phone page was not noticed")
    image = '<img alt="x" src="http://127.0.0.1:9/x.png">'
    wrong = page.replace("<main>", f'<main>{image}<p style="width:3000px">wide</p>')
    wrong = re.sub("data:image/png;base64,....", "data:image/png;base64,AAAA", wrong)
    _, console = browser.visit(write("wrong.html", wrong), PROBE, (1000, False))
    check(any("Content Security Policy" in text for text in console), "the page may ask the network")
    (found,), _ = browser.visit(write("wrong.html", without_policy(wrong)), PROBE, (500, False))
    check(found["undecoded"] > 5 and found["foreign"] > 0 and found["wider"], f"not noticed: {found}")


def main():
    n_pictures = int(sys.argv[1])
    with open("page.html", encoding="utf-8") as file:
        page = file.read()
    copy = without_policy(page)
    check(len(copy) < len(page), "the page has no policy")
    with Browser(".") as browser:
        check_page(browser, "page.html", n_pictures)
        check_page(browser, write("probed.html", copy), n_pictures)
        check_wrong(browser, page)


main()
