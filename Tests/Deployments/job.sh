# Runs jobs through the published port, while containers are killed, stopped and restarted.
# shellcheck shell=bash

state_of() { inside curl --silent --max-time 5 "$url/v1/jobs/$1" --header "Authorization: Bearer $2" | field data status; }

ended() { [[ $(state_of "$1" "$2" 2>/dev/null) == completed ]]; }

under_way() { [[ $(state_of "$job" "$token" 2>/dev/null) == processing ]]; }

# start_job: sets $job and $token.
start_job() {
    local answer
    answer=$(python3 -c 'import json, sys; print(json.dumps({"isbns": sys.stdin.read().split()}))' <"$work/isbns" |
        inside curl --silent --max-time 20 "$url/v1/enrichment/batch" --header 'Content-Type: application/json' --data @-)
    job=$(field data jobId <<<"$answer") && token=$(field data token <<<"$answer")
}

# has_results JOB: checks that there is exactly one result per book, in the requested order, and that each book was found.
has_results() {
    inside curl --silent --max-time 20 "$url/v1/enrichment/results/$1" | python3 -c '
import json, sys
results = json.load(sys.stdin)["data"]["enrichedBooks"]
asked = open(sys.argv[1]).read().split()
print(len(results), "results,", sum(result["success"] for result in results), "of them found")
sys.exit(0 if [result["isbn"] for result in results] == asked and all(result["success"] for result in results) else 1)' "$work/isbns"
}

run_main_job() {
    say "Main job"
    check "the command line enriches a list through the published port" quietly enrich_sample
}

# The sample has ISBNs that no provider has, hence the command line's exit status 1.
enrich_sample() {
    local status=0
    inside env BOOKSTRACK_URL="$url" XDG_STATE_HOME="$work/state" "$work/programs/bookstrack" enrich deploy/sample/isbns.txt \
        --format csv >"$work/sample.csv" || status=$?
    head -n 3 "$work/sample.csv"
    ((status <= 1)) && (($(grep -c ',true,\|,found,\|,yes,' "$work/sample.csv") > 50))
}

# Whether the service is running again, as a different process.
returned() {
    local process
    process=$(main_process "$1")
    [[ $process != 0 && $process != "$2" ]]
}

# kill_main SERVICE: kills its process 1 while the job is running, and waits until the services are ready; starts the container again if the
# engine's restart policy does not.
kill_main() {
    local process
    process=$(main_process "$1")
    eventually 90 under_way || { echo "the job is not running"; return 1; }
    kill -KILL "$process"
    if ! eventually 10 returned "$1" "$process"; then
        note "the engine's restart policy had no effect; $1 is started by hand"
        start_again "$1" 2>&1
    fi
    eventually 90 ready
}

run_through_kills() {
    say "SIGKILL during a job"
    need "a job is started" start_job
    goes_on || return
    for service in progress-host enrichment-worker api-proxy; do
        check "$service is killed during the job and restarts" kill_main "$service"
    done
    must "the job ends" eventually 240 ended "$job" "$token"
    goes_on || return
    check "the job has one result for each of $books books" has_results "$job"
}

stop() { engine stop "$(container "$1")" >/dev/null; }

start_again() { engine start "$(container "$1")" >/dev/null; }

lose_peers() {
    say "Missing services"
    need "the worker is stopped" stop enrichment-worker
    check "without the worker, api-proxy is degraded" eventually 90 ready degraded
    check "without the worker, api-proxy's container is healthy" quietly healthy api-proxy
    need "progress-host is stopped" stop progress-host
    check "without progress-host, api-proxy's container is unhealthy" quietly eventually 90 not healthy api-proxy
    need "api-proxy is stopped" stop api-proxy
    for service in "${services[@]}"; do need "$service is started" start_again "$service"; done
    check "when started in reverse order, the services become ready again" eventually 90 ready
}

not() { ! "$@"; }

empty_cache() { engine exec "$(container enrichment-worker)" bookstrack cache purge --yes >/dev/null; }

take_down() { compose down >/dev/null; }

# Stops a container, and checks that it exited by itself: after the grace period, the engine kills it, and the status is not 0.
stops_cleanly() {
    local begin=$EPOCHREALTIME code
    stop "$1"
    code=$(engine inspect --format '{{.State.ExitCode}}' "$(container "$1")")
    echo "exit status $code after $(((${EPOCHREALTIME/./} - ${begin/./}) / 1000)) ms"
    ((code == 0))
}

go_down_and_up() {
    say "Down and up"
    local first=$job
    need "the cache is emptied" empty_cache
    need "a second job is started" start_job
    goes_on || return
    check "a second job is running" eventually 90 under_way
    for service in "${services[@]}"; do
        check "$service stops within its grace period with status 0" stops_cleanly "$service"
    done
    need "compose takes the services down" take_down
    check "no containers are left" test -z "$(container api-proxy)$(container progress-host)"

    echo 'a-key-of-the-test' >"$work/key"
    chmod 644 "$work/key"
    export GOOGLE_BOOKS_API_KEY_FILE=$work/key
    must "compose brings the services up again, with a key this time" quietly compose up --detach --no-build
    goes_on || return
    must "everything is ready" eventually 90 ready
    goes_on || return
    check "the first job's results are still there" has_results "$first"
    check "the second job ends" eventually 240 ended "$job" "$token"
    check "the second job has one result for each of $books books" has_results "$job"
    check "the worker has the key from the secret file, and no other" quietly takes_key
    check "the key is neither in a log nor in an environment" quietly hides_key
}

takes_key() {
    local settings
    settings=$(engine exec "$(container enrichment-worker)" bookstrack config | grep -E 'GOOGLE_BOOKS_API_KEY|ISBNDB_API_KEY')
    echo "$settings"
    grep -q 'GOOGLE_BOOKS_API_KEY.*/run/secrets/google-books-api-key' <<<"$settings" && ! grep -q 'ISBNDB.*/run/secrets' <<<"$settings"
}

# Searches copies, so unreadable files do not count as clean.
hides_key() {
    local service
    for service in "${services[@]}"; do
        cat "/proc/$(main_process "$service")/environ" >"$work/environ"
        # Through a pipe, which ends once the filter in `engine` has written everything.
        engine logs "$(container "$service")" 2>&1 | cat >"$work/log"
        test -s "$work/environ"
        test -s "$work/log"
        not grep -l a-key-of-the-test "$work/environ" "$work/log"
    done
}
