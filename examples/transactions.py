#!/usr/bin/env python3
"""Pushes and lists transactions with Python's standard library alone (3.8 or later).

    export BUDGETD_URL=http://127.0.0.1:8080 BUDGETD_KEY=bdg_live_...
    python3 transactions.py push rows.ndjson                a JSON row a line
    python3 transactions.py list status=unallocated q=rent  prints a transaction a line

Exit: 0 done, 1 failed, 3 rows were rejected (they are printed). A failed push can be run again: a
row is known by its externalId, so what is stored already is updated, never doubled.
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
TRIES = 6
PASSING = (408, 429, 502, 503, 504)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """urllib would make a reading of a push that is redirected."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirect)


def ask(path, rows=None):
    """The status and the document of an answer.

    Where the service is busy, or nothing came back, it waits and asks again: as long as
    Retry-After says, else longer each time.
    """
    url = os.environ["BUDGETD_URL"].rstrip("/") + path
    headers = {"Authorization": "Bearer " + os.environ["BUDGETD_KEY"]}
    body = None
    if rows is not None:
        headers["Content-Type"] = "application/json"
        body = json.dumps({"rows": rows}).encode("utf-8")
    for attempt in range(TRIES + 1):
        wait = 2**attempt
        try:
            request = urllib.request.Request(url, data=body, headers=headers)
            with opener.open(request, timeout=60) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in PASSING:
                return error.code, read_refusal(error)
            reason = f"answer {error.code}"
            after = error.headers.get("Retry-After", "")
            wait = int(after) if after.isdigit() else wait
        # Refused, cut, no answer in time, or half of one.
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = str(error)
        if attempt < TRIES:
            print(f"{reason}: trying again in {wait} s", file=sys.stderr)
            time.sleep(wait)
    sys.exit(f"Gave up after {TRIES} tries; the last was: {reason}")


def read_refusal(error):
    text = error.read().decode("utf-8", "replace")
    try:
        return json.loads(text)
    except ValueError:
        sys.exit(f"Answer {error.code}, and no JSON: {text[:200]}")


def push(rows):
    """Pushes any number of rows; how many were rejected. Prints those."""
    sent = rejected = 0
    for start in range(0, len(rows), BATCH_ROWS):
        batch = rows[start : start + BATCH_ROWS]
        status, answer = ask("/api/v1/transactions", batch)
        # 422: every row of the batch was rejected; the results are there all the same.
        if status not in (200, 422) or len(answer.get("data", [])) != len(batch):
            sys.exit(f"Answer {status}: {json.dumps(answer)}")
        for result in answer["data"]:
            if result["status"] != "rejected":
                continue
            rejected += 1
            number = start + result["index"] + 1
            for error in result["errors"]:
                where = f'{result["externalId"]}: {error["field"]}'
                print(f'row {number} rejected: {where}: {error["message"]} [{error["code"]}]')
        sent += len(batch)
        print(f"{sent} of {len(rows)} rows answered, {rejected} rejected", file=sys.stderr)
    return rejected


def transactions(filters):
    """Every transaction that the filters let through, page after page."""
    query = {"limit": "1000", **filters}
    while True:
        status, page = ask("/api/v1/transactions?" + urllib.parse.urlencode(query))
        if status != 200:
            sys.exit(f"Answer {status}: {json.dumps(page)}")
        yield from page["data"]
        if page["meta"]["nextCursor"] is None:
            return
        query["cursor"] = page["meta"]["nextCursor"]


def read_rows(path):
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.readlines()
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"{path} cannot be read: {error}")
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            rows += [json.loads(line)] if line.strip() else []
        except ValueError as error:
            sys.exit(f"{path}, line {number}: {error}")
    return rows


def main(arguments):
    command, rest = arguments[:1], arguments[1:]
    if not os.environ.get("BUDGETD_URL") or not os.environ.get("BUDGETD_KEY"):
        sys.exit("Set BUDGETD_URL and BUDGETD_KEY.")
    # Windows has another encoding in mind.
    sys.stdout.reconfigure(encoding="utf-8")
    if command == ["push"] and len(rest) == 1:
        return 3 if push(read_rows(rest[0])) > 0 else 0
    if command == ["list"]:
        for each in transactions(dict(pair.partition("=")[::2] for pair in rest)):
            print(json.dumps(each, ensure_ascii=False))
        return 0
    sys.exit("Usage: transactions.py push FILE.ndjson | list [name=value ...]")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
