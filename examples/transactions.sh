#!/usr/bin/env bash
# Pushes and lists transactions with bash and curl alone.
#
#   export BUDGETD_URL=http://127.0.0.1:8080 BUDGETD_KEY=bdg_live_...
#   ./transactions.sh push rows.ndjson                     a JSON row a line
#   ./transactions.sh list status=unallocated q=rent       prints each page as a line of JSON
#
# Exit: 0 done, 1 failed, 3 rows were rejected (they are printed). A failed push can be run again:
# a row is known by its externalId, so what is stored already is updated, never doubled.
set -euo pipefail

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

[ -n "${BUDGETD_URL-}" ] && [ -n "${BUDGETD_KEY-}" ] || fail 'Set BUDGETD_URL and BUDGETD_KEY.'
readonly batch_rows=500 tries=6

umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# In a file: an argument can be read by other users of the machine.
printf 'header = "Authorization: Bearer %s"\n' "$BUDGETD_KEY" >"$work/key"

# ask PATH [curl's options]: the answer is in $status and $work/body. Where the service is busy, or
# nothing came back, it waits and asks again: as long as Retry-After says, else longer each time.
ask() {
  local path=$1 try=0 wait
  shift
  while :; do
    : >"$work/head"
    status=$(curl --silent --show-error --max-time 60 --config "$work/key" "$@" \
      --dump-header "$work/head" --output "$work/body" --write-out '%{http_code}' \
      "${BUDGETD_URL%/}$path") || status=000
    case $status in
      000 | 408 | 429 | 502 | 503 | 504) ;;
      *) return 0 ;;
    esac
    try=$((try + 1))
    [ "$try" -le "$tries" ] || fail "Gave up after $tries tries; the last answer was $status."
    wait=$(awk 'tolower($1) == "retry-after:" { print $2 + 0 }' "$work/head")
    [ "$status" != 000 ] && [ -n "$wait" ] || wait=$((1 << (try - 1)))
    printf 'Answer %s: trying again in %s s.\n' "$status" "$wait" >&2
    sleep "$wait"
  done
}

push() {
  local batch sent=0 rejected=0 rows results found index result
  [ -r "$1" ] || fail "$1 cannot be read."
  # Without a byte order mark and empty lines; each file is a batch.
  LC_ALL=C sed -e $'1s/^\xef\xbb\xbf//' -e '/^[[:space:]]*$/d' "$1" |
    split -l "$batch_rows" -a 5 - "$work/batch-"
  for batch in "$work"/batch-*; do
    [ -e "$batch" ] || continue
    { printf '{"rows":[' && paste -s -d , "$batch" && printf ']}'; } >"$work/request"
    ask /api/v1/transactions --header 'Content-Type: application/json' \
      --data-binary "@$work/request"
    # 422: every row of the batch was rejected; the results are there all the same.
    [ "$status" = 200 ] || [ "$status" = 422 ] || fail "Answer $status: $(cat "$work/body")"
    # A result a line. Within a text the quotation marks would have a backslash.
    sed $'s/{"index":/\\\n&/g' "$work/body" | grep '^{"index":' >"$work/results" || true
    rows=$(grep -c '' "$batch")
    results=$(grep -c '' "$work/results" || true)
    [ "$results" -eq "$rows" ] || fail "$results results for $rows rows: is that a budgetd?"
    found=$(grep -c '"status":"rejected"' "$work/results" || true)
    while IFS=' ' read -r index result; do
      printf 'row %d rejected: %s\n' "$((sent + index + 1))" "$result"
    done < <(sed -n \
      's/^{"index":\([0-9]*\),\("externalId":.*\),"status":"rejected",\(.*\]\)}.*$/\1 \2,\3/p' \
      "$work/results")
    sent=$((sent + rows)) rejected=$((rejected + found))
    printf '%d rows answered, %d rejected\n' "$sent" "$rejected" >&2
  done
  [ "$rejected" -eq 0 ] || exit 3
}

list() {
  local cursor='' filters=() each
  for each in "$@"; do filters+=(--data-urlencode "$each"); done
  while :; do
    ask /api/v1/transactions --get --data-urlencode limit=1000 \
      ${filters[@]+"${filters[@]}"} ${cursor:+--data-urlencode "cursor=$cursor"}
    [ "$status" = 200 ] || fail "Answer $status: $(cat "$work/body")"
    cat "$work/body"
    echo
    cursor=$(sed -n 's/.*"nextCursor":"\([^"]*\)".*/\1/p' "$work/body")
    [ -n "$cursor" ] || break
  done
}

case ${1-}/$# in
  push/2) push "$2" ;;
  list/*) shift && list "$@" ;;
  *) fail 'Usage: transactions.sh push FILE.ndjson | list [name=value ...]' ;;
esac
