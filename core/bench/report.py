#!/usr/bin/env python3
"""Tables from the CSV of the benchmarks.

usage: report.py summary OUT            print the ratios that have a target
       report.py tables OUT DOCUMENT    write the tables between the marks of DOCUMENT

OUT has the <topic>.csv files of run.sh. In the document a table is between
`<!-- bench:TOPIC -->` and `<!-- end -->`; `bench:about` is the machine and the commit, `bench:targets` the
rows that have a target.

SPDX-License-Identifier: Apache-2.0
"""
import csv
import pathlib
import re
import sys


def read_topic(path):
    """The comment lines as a dict, and the rows as dicts."""
    about, lines = {}, []
    for line in path.read_text().splitlines():
        if line.startswith("# "):
            key, _, value = line[2:].partition(": ")
            about[key] = value
        elif line:
            lines.append(line)
    return about, list(csv.DictReader(lines))


def read_all(folder):
    """Topic -> (about, rows), for every CSV in the format of the benchmarks."""
    topics = {}
    for path in sorted(pathlib.Path(folder).glob("*.csv")):
        about, rows = read_topic(path)
        if rows and "ratio" in rows[0]:
            topics[path.stem] = (about, rows)
    return topics


def number(text):
    """Three significant digits, without an exponent if possible."""
    value = float(text)
    if value == 0 or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def table(head, rows):
    """A table in Markdown, columns padded so that it can be read as text."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths))
             for row in [head, ["-" * width for width in widths], *rows]]
    return "\n".join(f"| {line} |" for line in lines)


HEAD = ["case", "what", "XTA", "against", "it takes", "unit", "ratio", "target", "met"]


def cells(row):
    return [row["case"], row["metric"], number(row["ours"]), row["peer_name"],
            number(row["peer"]), row["unit"], number(row["ratio"]), row["target"], row["ok"]]


def target_rows(topics):
    return [[topic, *cells(row)] for topic, (_, rows) in topics.items() for row in rows
            if row["target"]]


def summary(topics):
    rows = target_rows(topics)
    for topic in topics:
        print(f"{topic}: {topics[topic][0].get('size')} size, "
              f"commit {topics[topic][0].get('commit')}")
    print(table(["topic", *HEAD], rows))
    met = sum(row[-1] == "yes" for row in rows)
    print(f"{met} of {len(rows)} targets met")


def about_text(topics):
    lines = []
    for key in ("machine", "commit", "library", "size"):
        values = {}
        for topic, (about, _) in topics.items():
            values.setdefault(about.get(key, "unknown"), []).append(topic)
        for value, of in values.items():
            only = "" if len(values) == 1 else f" ({', '.join(of)})"
            lines.append(f"- {key}: {value}{only}")
    return "\n".join(lines)


def tables(topics, document):
    path = pathlib.Path(document)
    text = path.read_text()

    def replace(match):
        topic = match.group(1)
        if topic == "about":
            body = about_text(topics)
        elif topic == "targets":
            body = table(["topic", *HEAD], target_rows(topics))
        elif topic in topics:
            body = table(HEAD, [cells(row) for row in topics[topic][1]])
        else:
            return match.group(0)
        return f"<!-- bench:{topic} -->\n{body}\n<!-- end -->"

    path.write_text(re.sub(r"<!-- bench:(\w+) -->\n.*?<!-- end -->", replace, text, flags=re.S))


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "summary":
        summary(read_all(arguments[1]))
    elif len(arguments) == 3 and arguments[0] == "tables":
        tables(read_all(arguments[1]), arguments[2])
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
