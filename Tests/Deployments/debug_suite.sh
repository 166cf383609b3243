# Runs a suite for tests from a user's point of view. Needs $bin (the directory of the programs) and $work (for data, sockets and logs).
# shellcheck shell=bash

# Further arguments for the emulator.
emulator_arguments=()

# start_suite [HTTP-PORT ADMIN-PORT]: starts emulated providers and the three services; sets $url (the API) and $emulator (the providers).
# By default, free ports are used.
start_suite() {
    export BOOKSTRACK_RUNTIME_DIR=$work/run BOOKSTRACK_DATA_DIR=$work/data BOOKSTRACK_RATE_LIMIT=off
    BOOKSTRACK_HTTP_PORT=${1:-$(free_port)}
    BOOKSTRACK_ADMIN_PORT=${2:-$(free_port)}
    export BOOKSTRACK_HTTP_PORT BOOKSTRACK_ADMIN_PORT
    start emulator "$bin/provider-emulator" --port 0 --latency 0 --exit-with-parent "${emulator_arguments[@]}"
    eventually 180 grep -q '^listening on ' "$work/emulator.log" || fail "the emulator did not start"
    local service
    emulator=$(sed -n 's/^listening on //p' "$work/emulator.log")
    export BOOKSTRACK_OPEN_LIBRARY_BASE_URL=$emulator/openlibrary BOOKSTRACK_ISBNDB_BASE_URL=$emulator/isbndb
    export BOOKSTRACK_GOOGLE_BOOKS_BASE_URL=$emulator/googlebooks/books/v1 BOOKSTRACK_COVERS_BASE_URL=$emulator/covers
    export BOOKSTRACK_WIKIDATA_BASE_URL=$emulator/wikidata BOOKSTRACK_OPEN_LIBRARY_CONTACT=test@example.org
    export BOOKSTRACK_GEMINI_BASE_URL=$emulator/gemini/v1beta BOOKSTRACK_GEMINI_API_KEY=any
    for service in progress-host enrichment-worker api-proxy; do start "$service" "$bin/$service"; done
    url=http://127.0.0.1:$BOOKSTRACK_HTTP_PORT
    eventually 180 suite_is_ready || fail "not ready: $(tail -n 3 "$work"/*.log)"
}

# The status must be compared, because a degraded suite also responds with 200.
suite_is_ready() { [[ $(curl --silent --max-time 5 "$url/health/ready" | field status 2>/dev/null) == ready ]]; }
