#!/usr/bin/env python3
"""Copies the payments of a double-entry ledger into budgetd. Run it every night.

    export BUDGETD_URL=http://127.0.0.1:8080 BUDGETD_KEY=bdg_live_...
    python3 nightly.py ledger.db 2026-01-01

It sends everything from the given day on: what was corrected or recoded is updated, what was voided
or deleted in the ledger gets the amount 0, and what has not changed costs nothing. Killed at any
moment and started again, it ends the same. The key needs transactions:write, transactions:read,
projects:read and reports:read.

Exit: 0 done, 1 failed or budgetd differs from the ledger, 3 some rows were rejected.
"""

import json
import pathlib
import sqlite3
import sys

# transactions.py is one folder up; nothing is written there.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.dont_write_bytecode = True
from transactions import ask, push, transactions  # noqa: E402

# The name of this ledger in front of every id: other systems may use the same numbers.
PREFIX = "ERP/"

# More payments than this do not vanish in a night: then the query is wrong, or the database.
VOID_LIMIT = 20

# One row for each part of a payment that is not cash itself, numbered by its place. The parts of a
# payment add up to the cash that moved; a transfer between two cash accounts has no part.
PAYMENTS = """
    select moves.id, row_number() over (partition by moves.id order by lines.id), moves.date,
           moves.description, moves.reference, lines.account, lines.project,
           (select min(account) from lines as cash
             where cash.move_id = moves.id and cash.account between '1200' and '1299'),
           lines.debit - lines.credit
      from moves join lines on lines.move_id = moves.id
     where moves.state = 'posted' and lines.account not between '1200' and '1299'
       and exists (select 1 from lines as cash
             where cash.move_id = moves.id and cash.account between '1200' and '1299')
     order by moves.date, moves.id, lines.id
"""


def read_ledger(path):
    """The rows to push by externalId, of every day: a payment can leave the window."""
    rows = {}
    # Any other database: its own connect(), the same query.
    database = sqlite3.connect(pathlib.Path(path).resolve().as_uri() + "?mode=ro", uri=True)
    for payment in database.execute(PAYMENTS):
        move, part, date, text, reference, account, project, bank, pence = payment
        external_id = f"{PREFIX}{move}/{part}"
        rows[external_id] = {
            "externalId": external_id,
            "date": date,
            "description": text,
            "amount": pence / 100,
            "accountCode": account,
            "reference": reference,
            "bankAccount": bank,
            "projectCode": project,
        }
    return rows


def read_budgetd(since):
    """What budgetd has of this ledger from that day on, by externalId."""
    filters = [("provider", "api"), ("externalIdPrefix", PREFIX), ("from", since)]
    return {each["externalId"]: each for each in transactions(filters)}


def void(transaction):
    """The same row with amount 0: budgetd keeps it, but it counts no more."""
    members = ("externalId", "date", "description", "contact", "accountCode")
    members += ("reference", "bankAccount", "projectCode")
    return {**{name: transaction[name] for name in members}, "amount": 0}


def stop_if_others(gone):
    """Stops if another key pushed one of these last: it is not this ledger's to void."""
    status, answer = ask("/api/v1/transactions?dryRun=true", gone)
    if status not in (200, 422):
        sys.exit(f"Answer {status}: {json.dumps(answer)}")
    for result in answer["data"]:
        if any(each["code"] == "other_key" for each in result.get("warnings", [])):
            whose = f'{result["externalId"]} is another key\'s, and not in this ledger'
            sys.exit(f"{whose}. Give each system a prefix of its own. Nothing was sent.")


def main(path, since):
    try:
        ledger = read_ledger(path)
    except sqlite3.Error as error:
        sys.exit(f"Cannot read {path}: {error}")
    stored = read_budgetd(since)
    rows = [row for id, row in ledger.items() if row["date"] >= since or id in stored]
    gone = [void(each) for id, each in stored.items() if each["amount"] != 0 and id not in ledger]
    if len(gone) > VOID_LIMIT:
        sys.exit(f"{len(gone)} payments are not in the ledger any more. Nothing was sent.")
    if gone:
        stop_if_others(gone)
    counts = push(rows + gone)
    differences = compare(ledger, read_budgetd(since), since)
    print_reports()
    return 3 if counts["rejected"] > 0 else 1 if differences > 0 else 0


def compare(ledger, stored, since):
    """Prints what differs between the ledger and budgetd, and returns how much does."""
    wanted = {id: row["amount"] for id, row in ledger.items() if row["date"] >= since}
    found = {id: each["amount"] for id, each in stored.items() if each["amount"] != 0}
    differing = [id for id in {**wanted, **found} if wanted.get(id) != found.get(id)]
    for id in differing:
        print(f"{id}: {wanted.get(id, 0):.2f} in the ledger, {found.get(id, 0):.2f} in budgetd")
    return len(differing)


def print_reports():
    """The actual of each project, and what waits for a person or is missing."""
    status, page = ask("/api/v1/projects?limit=1000")
    if status != 200:
        sys.exit(f"Answer {status}: {json.dumps(page)}")
    for project in page["data"]:
        status, answer = ask(f'/api/v1/projects/{project["id"]}/report')
        if status != 200:
            sys.exit(f"Answer {status}: {json.dumps(answer)}")
        report = answer["data"]
        actual, review = report["totals"]["total"]["actual"], report["needsReview"]
        recoded, missing = report["recoded"]["amount"], report["unallocated"]
        print(f'{project["name"]}: {actual:.2f}, of which {review["amount"]:.2f} needs review')
        print(f'  and {recoded:.2f} was recoded; {missing["out"]:.2f} out and '
              f'{missing["in"]:.2f} in are not allocated yet')


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Usage: nightly.py LEDGER.db FIRST-DAY")
    sys.exit(main(sys.argv[1], sys.argv[2]))
