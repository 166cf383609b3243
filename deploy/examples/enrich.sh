#!/usr/bin/env bash
# Starts an enrichment job, watches it live and prints the books found.
#
#   enrich.sh ISBN...       BOOKSTRACK_URL is the API's address (default: http://127.0.0.1:8787)
#
# Requires curl, jq, and the WebSocket client in Python's websockets (Debian's python3-websockets).
set -euo pipefail
api=${BOOKSTRACK_URL:-http://127.0.0.1:8787}

# One connection: prints its frames, one per line, until it ends. The client adds terminal decorations, which are removed.
frames() {
    coproc socket { exec python3 -m websockets "$1" 2>&1; }
    local from to client=$! line
    # Bash closes its own descriptors when the client exits, even if there are frames that have not been read.
    exec {from}<&"${socket[0]}" {to}>&"${socket[1]}"
    echo '{"type":"ready"}' >&"$to"
    while read -r line <&"$from"; do grep --only-matching '{.*}' <<<"$line" || true; done
    wait "$client" || true
}

# Follows the job across lost connections, and prints how it ended: the type of its last frame, or job_cancelled.
watch_job() {
    local address="${api/http/ws}/ws/progress?jobId=$1&token=$2" since='' frame type seq status attempt
    for ((attempt = 0; attempt < 10; attempt++)); do
        while read -r frame; do
            IFS=$'\t' read -r type seq status < <(jq -r '[.type, .seq, .payload.status // ""] | @tsv' <<<"$frame")
            # After a reconnect, the server sends every event that follows this one.
            since="&since=$seq" attempt=0
            case $type in
            job_complete | error) echo "$type"; return ;;
            job_started | job_progress) echo "$seq: $status" >&2 ;;
            esac
            if [[ $status == job_cancelled ]]; then echo "$status"; return; fi
        done < <(frames "$address$since")
        echo "connection lost; reconnecting" >&2
        sleep $((1 + attempt))
    done
    echo "the API cannot be reached" >&2
    return 1
}

# If the client chooses the jobId, the request can be repeated: the same books return the same job. curl prints the response to every attempt.
body=$(jq --null-input '{jobId: $id, isbns: $ARGS.positional}' --arg id "$(cat /proc/sys/kernel/random/uuid)" --args "$@")
start=$(curl --silent --show-error --fail-with-body --retry 3 --json "$body" "$api/v1/enrichment/batch" | jq --slurp last) ||
    { jq -r '.error.message // empty' <<<"$start" >&2; exit 1; }
end=$(watch_job "$(jq -r .data.jobId <<<"$start")" "$(jq -r .data.token <<<"$start")")
if [[ $end != job_complete ]]; then echo "the job ended with $end" >&2; exit 1; fi
curl --silent --show-error --fail --retry 3 "$api$(jq -r .data.resultsUrl <<<"$start")" |
    jq -r '.data.enrichedBooks[] | if .success then .enriched.work.title else "\(.isbn): \(.error)" end'
