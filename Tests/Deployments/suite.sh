# Runs the services in docker-compose.yml with emulated providers, and checks their confinement.
# shellcheck shell=bash

# Builds a separate image with the emulated providers and their libraries, and writes the ISBNs of their synthetic books to $work/isbns.
image_of_emulator() {
    local program root=$work/emulator
    program=$(build_emulator)
    pack_emulator "$program" "$root"
    printf 'FROM scratch\nCOPY . /\nUSER 8787:8787\n' >"$work/Containerfile"
    engine build --quiet --tag localhost/bookstrack-emulator --file "$work/Containerfile" "$root"
    "$program" isbns --synthetic "$books" >"$work/isbns"
}

# The test's override file for docker-compose.yml: the worker shares its network with the emulated providers, which listen on
# loopback, and reads a bookstrack.env that belongs to the test.
write_override() {
    local service
    {
        echo 'services:'
        for service in "${services[@]}"; do
            printf '  %s:\n    image: localhost/bookstrack:latest\n    ulimits: {nproc: 30000}\n' "$service"
            case $service in
            api-proxy) printf '    environment: {BOOKSTRACK_MAX_BATCH_BOOKS: "%d"}\n' "$books" ;;
            enrichment-worker)
                cat <<WORKER
    network_mode: "service:providers"
    depends_on: [providers]
    environment:
      BOOKSTRACK_OPEN_LIBRARY_CONTACT: test@example.org
      # Slow enough that a job is still running after all container operations, which take longer on a slow machine.
      BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND: "0.5"
      BOOKSTRACK_OPEN_LIBRARY_BASE_URL: http://127.0.0.1:8900/openlibrary
      BOOKSTRACK_GOOGLE_BOOKS_BASE_URL: http://127.0.0.1:8900/googlebooks/books/v1
      BOOKSTRACK_ISBNDB_BASE_URL: http://127.0.0.1:8900/isbndb
      BOOKSTRACK_WIKIDATA_BASE_URL: http://127.0.0.1:8900/wikidata
      BOOKSTRACK_COVERS_BASE_URL: http://127.0.0.1:8900/covers
WORKER
                if reads_photos; then
                    echo BOOKSTRACK_SHELF_READER_SOCKET=/run/bookstrack/shelf-reader.sock >"$work/bookstrack.env"
                    printf '    env_file: ["%s"]\n' "$work/bookstrack.env"
                fi
                ;;
            esac
        done
        cat <<PROVIDERS
  providers:
    image: localhost/bookstrack-emulator
    command: ["/bin/provider-emulator", "--port", "8900", "--latency", "100", "--synthetic", "$books"]
    ulimits: {nproc: 30000, nofile: 20000}
PROVIDERS
        if reads_photos; then
            printf '  shelf-reader:\n    image: localhost/bookstrack-shelf-reader:latest\n    ulimits: {nproc: 30000, nofile: 20000}\n'
        fi
    } >"$work/override.yml"
}

# Whether the shelf reader's image was built.
reads_photos() { ((${#profiles[@]})); }

# ready [STATUS]: whether readiness has this status (default: ready).
ready() { [[ $(inside curl --silent --max-time 10 "$url/health/ready" | field status) == "${1:-ready}" ]] 2>/dev/null; }

# Checks the confinement of the container's process 1 from outside, as the kernel reports it.
confined() {
    local status=/proc/$1/status mounts=/proc/$1/mountinfo
    grep -E '^(Uid|Gid|Groups|Cap|NoNewPrivs|Seccomp|NSpid)' "$status"
    [[ $(awk '/^NSpid:/ { print $NF }' "$status") == 1 ]] &&
        [[ $(awk '/^[UG]id:/ { print $2, $3, $4, $5 }' "$status" | sort -u) == "8787 8787 8787 8787" ]] &&
        [[ $(awk '/^Cap/ { print $2 }' "$status" | sort -u) == 0000000000000000 ]] &&
        grep -q '^NoNewPrivs:[[:space:]]*1$' "$status" && grep -q '^Seccomp:[[:space:]]*2$' "$status" &&
        awk '$5 == "/"' "$mounts" | tee /dev/stderr | awk '{ exit $6 !~ /^ro(,|$)/ }'
}

without_network() { ! awk 'NR > 2 { print $1 }' "/proc/$1/net/dev" | grep -v '^lo:'; }

# Checks, as the kernel reports it, that api-proxy may write uploaded files, but no other data.
writes_uploads_only() {
    local mounts=/proc/$1/mountinfo
    awk '$5 ~ "^/var/lib/bookstrack" { print $5, $6 }' "$mounts"
    awk '$5 == "/var/lib/bookstrack"' "$mounts" | awk '{ exit $6 !~ /^ro(,|$)/ }' &&
        awk '$5 == "/var/lib/bookstrack/uploads"' "$mounts" | awk '{ found = 1; exit $6 !~ /^rw(,|$)/ } END { if (!found) exit 1 }'
}

logs_are_json() {
    engine logs "$(container "$1")" 2>&1 | python3 -c '
import json, sys
lines = [json.loads(line) for line in sys.stdin]
print(len(lines), "lines")
sys.exit(0 if lines else 1)'
}

# Checks that other machines can reach neither the API nor the admin listener.
only_loopback() {
    local ports
    ports=$(for service in "${services[@]}"; do engine port "$(container "$service")"; done | sort)
    echo "$ports"
    [[ $ports == $'8787/tcp -> 127.0.0.1:8787\n9787/tcp -> 127.0.0.1:9787' ]] &&
        inside curl --silent --fail --max-time 5 http://127.0.0.1:9787/health/ready
}

bring_up() {
    say "Services"
    must "the emulated providers are packaged" quietly image_of_emulator
    goes_on || return
    if build_reader_image >"$work/reader.log" 2>&1; then
        profiles=(--profile reader)
    else
        skip "the shelf reader" "its image cannot be built: $(tail -n 1 "$work/reader.log")"
    fi
    need "the override file for docker-compose.yml is written" write_override
    must "compose brings the services up" quietly compose up --detach --no-build
    goes_on || return
    must "everything is ready" quietly eventually 90 ready
    goes_on || return
    for service in "${services[@]}"; do
        check "$service: the health check passes" quietly eventually 90 healthy "$service"
        check "$service: the process runs as an unprivileged user with no capabilities, no new privileges and a read-only root" \
            quietly confined "$(main_process "$service")"
        check "$service: each line of the log is valid JSON" quietly logs_are_json "$service"
    done
    check "progress-host has no network" quietly without_network "$(main_process progress-host)"
    check "api-proxy can write uploads, and no other data" quietly writes_uploads_only "$(main_process api-proxy)"
    check "two ports are published, and only to this machine" quietly only_loopback
    check "the admin listener responds in the containers' network" quietly admin_answers
}

read_photo() {
    if ! reads_photos; then return; fi
    say "Shelf reader"
    check "the shelf reader's health check passes" quietly eventually 90 healthy shelf-reader
    check "the shelf reader runs as an unprivileged user with no capabilities, no new privileges and a read-only root" \
        quietly confined "$(main_process shelf-reader)"
    check "the shelf reader has no network" quietly without_network "$(main_process shelf-reader)"
    check "the shelf reader reads a photo" quietly reads_sample deploy/sample/shelf.png \
        inside env BOOKSTRACK_URL="$url" XDG_STATE_HOME="$work/state" "$work/programs/bookstrack"
}

admin_answers() {
    local address
    address=$(engine inspect --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "$(container api-proxy)")
    inside curl --silent --fail --max-time 20 "http://$address:9787/health/ready"
}
