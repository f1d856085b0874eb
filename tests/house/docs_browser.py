"""The pages of `make docs` in a browser: docs_browser.py PAGES SCRATCH.

SPDX-License-Identifier: Apache-2.0
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "picture", "tests", "picture"))
from browser import Browser

# What a page shows, and from where it has loaded anything.
SCRIPT = """({
    text: document.body.innerText,
    styled: getComputedStyle(document.body).maxWidth !== 'none' || document.styleSheets.length > 1,
    pictures: Array.from(document.images).filter(image => !image.complete || image.naturalWidth === 0).length,
    foreign: performance.getEntriesByType('resource').map(e => e.name).filter(name => !name.startsWith('file:')),
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth
})"""
WIDE, PHONE = (1200, False), (400, False)
PAGES = {
    "index.html": "array storage that grows",
    "tutorial.html": "-3:5,0:2,0:4",
    "programs.html": "xta_array_create",
    "search.html": "Search",
    "api/index.html": "libxta_rechunk",
    "api/array__lifetime_8h.html": "Create an array as a pair of files",
    "api/globals_func_x.html": "xta_array_open",
}


def main():
    folder, scratch = sys.argv[1:]
    problems = []
    with Browser(scratch) as browser:
        for page, words in PAGES.items():
            (wide, phone), console = browser.visit(os.path.join(folder, page), SCRIPT, WIDE, PHONE)
            if console:
                problems.append(f"{page}: on the console: {console}")
            if words not in wide["text"]:
                problems.append(f"{page} does not show '{words}'")
            if not wide["styled"]:
                problems.append(f"{page} has no style")
            if wide["pictures"] or wide["foreign"]:
                problems.append(f"{page}: {wide['pictures']} pictures missing, foreign: {wide['foreign']}")
            if page == "tutorial.html" and phone["wide"] > 8:
                problems.append(f"{page} is {phone['wide']} pixels wider than a phone")
        # A page that asks for what is not there is found out.
        path = os.path.join(scratch, "wrong.html")
        with open(path, "w", encoding="utf-8") as handle:
            handle.write('<!DOCTYPE html><title>x</title><link rel="stylesheet" href="gone.css"><p>x')
        _, console = browser.visit(path, SCRIPT, WIDE)
        if not console:
            problems.append("a style that is missing leaves no trace on the console")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
