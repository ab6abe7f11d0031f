#!/usr/bin/env python3
"""Pushes and lists transactions with Python's standard library (3.8 or later).

    export BUDGETD_URL=http://127.0.0.1:8080 BUDGETD_KEY=bdg_live_...
    python3 transactions.py push rows.ndjson                one JSON row per line
    python3 transactions.py list status=unallocated q=rent  prints one transaction per line

Amounts: money out is positive, money in is negative.

Exit: 0 done, 1 failed, 3 some rows were rejected. Rejected rows and warnings are printed. You
can always push a file again: a row is found by its externalId and updated, never duplicated.
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

BATCH_ROWS = 500
RETRIES = 6
RETRIED = (408, 429, 500, 502, 503, 504)
LONGEST_WAIT_SECONDS = 30
COUNTS = ("created", "updated", "unchanged", "rejected", "warnings")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: urllib would turn a push into a read."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirect)


def ask(path, rows=None):
    """Sends a request and returns the status and the document of the answer.

    Without an answer, or with one of RETRIED, it waits as long as Retry-After says, else twice as
    long each time, and tries again.
    """
    if not os.environ.get("BUDGETD_URL") or not os.environ.get("BUDGETD_KEY"):
        sys.exit("Set BUDGETD_URL and BUDGETD_KEY.")
    url = os.environ["BUDGETD_URL"].rstrip("/") + path
    headers = {"Authorization": "Bearer " + os.environ["BUDGETD_KEY"]}
    body = None
    if rows is not None:
        headers["Content-Type"] = "application/json"
        body = json.dumps({"rows": rows}).encode("utf-8")
    for attempt in range(RETRIES + 1):
        wait = min(2**attempt, LONGEST_WAIT_SECONDS)
        try:
            request = urllib.request.Request(url, data=body, headers=headers)
            with opener.open(request, timeout=60) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in RETRIED:
                return error.code, read_refusal(error)
            reason = f"answer {error.code}"
            after = error.headers.get("Retry-After", "")
            wait = int(after) if after.isdigit() else wait
        # The connection was refused or cut, or the answer came too late or only in part.
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = str(error)
        if attempt < RETRIES:
            print(f"{reason}: retrying in {wait} s", file=sys.stderr)
            time.sleep(wait)
    sys.exit(f"Gave up after {RETRIES} retries. The last failure: {reason}")


def read_refusal(error):
    text = error.read().decode("utf-8", "replace")
    try:
        return json.loads(text)
    except ValueError:
        sys.exit(f"Answer {error.code} is not JSON: {text[:200]}")


def push(rows):
    """Pushes any number of rows, prints rejected rows and warnings, and returns the counts."""
    counts = dict.fromkeys(COUNTS, 0)
    if not rows:
        print("No rows: nothing to push.", file=sys.stderr)
    for start in range(0, len(rows), BATCH_ROWS):
        batch = rows[start : start + BATCH_ROWS]
        status, answer = ask("/api/v1/transactions", batch)
        # A 422 has results too: every row of the batch was rejected.
        if status not in (200, 422) or len(answer.get("data", [])) != len(batch):
            sys.exit(f"Answer {status}: {json.dumps(answer)}")
        for result in answer["data"]:
            kind = "rejected" if result["status"] == "rejected" else "warning"
            row = f'row {start + result["index"] + 1} {kind}: {result["externalId"]}'
            for each in result.get("errors") or result.get("warnings"):
                print(f'{row}: {each["field"]}: {each["message"]} [{each["code"]}]')
        for name in COUNTS:
            counts[name] += answer["meta"][name]
        words = ", ".join(f"{count} {name}" for name, count in counts.items())
        print(f"{start + len(batch)} of {len(rows)} rows: {words}", file=sys.stderr)
    return counts


def transactions(filters):
    """Every transaction that matches the filters, page after page."""
    query = filters if "limit" in dict(filters) else [*filters, ("limit", "1000")]
    cursor = []
    while True:
        target = urllib.parse.urlencode([*query, *cursor])
        status, page = ask("/api/v1/transactions?" + target)
        if status != 200:
            sys.exit(f"Answer {status}: {json.dumps(page)}")
        yield from page["data"]
        if page["meta"]["nextCursor"] is None:
            return
        cursor = [("cursor", page["meta"]["nextCursor"])]


def read_rows(path):
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.readlines()
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"Cannot read {path}: {error}")
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            rows += [json.loads(line)] if line.strip() else []
        except ValueError as error:
            sys.exit(f"{path}, line {number}: {error}")
    return rows


def main(arguments):
    command, rest = arguments[:1], arguments[1:]
    # The default on Windows is another encoding.
    sys.stdout.reconfigure(encoding="utf-8")
    if command == ["push"] and len(rest) == 1:
        return 3 if push(read_rows(rest[0]))["rejected"] > 0 else 0
    if command == ["list"]:
        for each in transactions([pair.partition("=")[::2] for pair in rest]):
            print(json.dumps(each, ensure_ascii=False))
        return 0
    sys.exit("Usage: transactions.py push FILE.ndjson | list [name=value ...]")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
