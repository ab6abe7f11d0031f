#!/usr/bin/env bash
# Pushes and lists transactions with bash and curl.
#
#   export BUDGETD_URL=http://127.0.0.1:8080 BUDGETD_KEY=bdg_live_...
#   ./transactions.sh push rows.ndjson                     one JSON row per line
#   ./transactions.sh list status=unallocated q=rent       prints one page of JSON per line
#
# Amounts: money out is positive, money in is negative.
#
# Exit: 0 done, 1 failed, 3 some rows were rejected. Rejected rows and warnings are printed. You
# can always push a file again: a row is found by its externalId and updated, never duplicated.
set -euo pipefail

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

[ -n "${BUDGETD_URL-}" ] && [ -n "${BUDGETD_KEY-}" ] || fail 'Set BUDGETD_URL and BUDGETD_KEY.'
readonly batch_rows=500 retries=6 longest_wait_seconds=30

umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# In a file, because other users of the machine can read arguments.
printf 'header = "Authorization: Bearer %s"\n' "$BUDGETD_KEY" >"$work/key"

# ask PATH [options of curl]: sends a request and leaves the answer in $status and $work/body.
# Without an answer (000), or with a status to retry, it waits as long as Retry-After says, else
# twice as long each time, and tries again.
ask() {
  local path=$1 attempt=0 wait after
  shift
  while :; do
    : >"$work/head"
    status=$(curl --silent --show-error --max-time 60 --config "$work/key" "$@" \
      --dump-header "$work/head" --output "$work/body" --write-out '%{http_code}' \
      "${BUDGETD_URL%/}$path") || status=000
    case $status in
      000 | 408 | 429 | 500 | 502 | 503 | 504) ;;
      *) return 0 ;;
    esac
    [ "$attempt" -lt "$retries" ] || fail "Gave up after $retries retries. The last answer: $status"
    wait=$((1 << attempt))
    [ "$wait" -le "$longest_wait_seconds" ] || wait=$longest_wait_seconds
    after=$(awk 'tolower($1) == "retry-after:" && $2 ~ /^[0-9]+\r?$/ { print $2 + 0 }' "$work/head")
    [ "$status" = 000 ] || [ -z "$after" ] || wait=$after
    attempt=$((attempt + 1))
    printf 'answer %s: retrying in %s s\n' "$status" "$wait" >&2
    sleep "$wait"
  done
}

# count NAME: prints this count from the `meta` of the answer.
count() {
  sed -n 's/.*"meta":{\([^}]*\)}.*/\1/p' "$work/body" | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"
}

push() {
  local batch sent=0 rows results index kind result
  local created=0 updated=0 unchanged=0 rejected=0 warnings=0
  local head='{"index":\([0-9]*\),\("externalId":.*\)'
  [ -r "$1" ] || fail "Cannot read $1."
  # Remove a byte order mark and empty lines, then write one file per batch.
  LC_ALL=C sed -e $'1s/^\xef\xbb\xbf//' -e '/^[[:space:]]*$/d' "$1" |
    split -l "$batch_rows" -a 5 - "$work/batch-"
  for batch in "$work"/batch-*; do
    [ -e "$batch" ] || continue
    { printf '{"rows":[' && paste -s -d , "$batch" && printf ']}'; } >"$work/request"
    ask /api/v1/transactions --header 'Content-Type: application/json' \
      --data-binary "@$work/request"
    # A 422 has results too: every row of the batch was rejected.
    [ "$status" = 200 ] || [ "$status" = 422 ] || fail "Answer $status: $(cat "$work/body")"
    # One result per line. Quotation marks inside a text have a backslash, so they cannot match.
    sed $'s/{"index":/\\\n&/g' "$work/body" | grep '^{"index":' >"$work/results" || true
    rows=$(grep -c '' "$batch")
    results=$(grep -c '' "$work/results" || true)
    [ "$results" -eq "$rows" ] || fail "$results results for $rows rows: is this budgetd?"
    while IFS=' ' read -r index kind result; do
      printf 'row %d %s: %s\n' "$((sent + index + 1))" "$kind" "$result"
    done < <(sed -n -e "s/^$head,\"status\":\"rejected\",\(.*\]\)}.*\$/\1 rejected \2,\3/p" \
      -e "s/^$head,\"status\":.*,\(\"warnings\":\[{.*\]\)}.*\$/\1 warning \2,\3/p" "$work/results")
    sent=$((sent + rows))
    created=$((created + $(count created))) updated=$((updated + $(count updated)))
    unchanged=$((unchanged + $(count unchanged))) rejected=$((rejected + $(count rejected)))
    warnings=$((warnings + $(count warnings)))
    printf '%d rows: %d created, %d updated, %d unchanged, %d rejected, %d warnings\n' \
      "$sent" "$created" "$updated" "$unchanged" "$rejected" "$warnings" >&2
  done
  [ "$sent" -gt 0 ] || printf 'No rows: nothing to push.\n' >&2
  [ "$rejected" -eq 0 ] || exit 3
}

list() {
  local cursor='' filters=(--data-urlencode limit=1000) each
  for each in "$@"; do case $each in limit=*) filters=() ;; esac done
  for each in "$@"; do filters+=(--data-urlencode "$each"); done
  while :; do
    ask /api/v1/transactions --get "${filters[@]}" ${cursor:+--data-urlencode "cursor=$cursor"}
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
