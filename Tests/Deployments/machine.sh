# A Debian 12 machine with systemd, booted in a container, for installation tests. Its jobs use emulated providers. Needs checks.sh and
# emulator.sh.
# shellcheck shell=bash

cache=$(realpath -m "${BOOKSTRACK_DEPLOYMENTS_CACHE:-.build/deployments}")
mirror=${BOOKSTRACK_DEBIAN_MIRROR:-http://deb.debian.org/debian}
machine=''
leader=''

# Creates $work, and removes it and the machine at the end.
prepare_work() {
    work=$(mktemp -d /tmp/bookstrack-machine.XXXXXX)
    trap finish EXIT
    trap 'exit 130' INT TERM
}

finish() {
    if [[ -n $leader ]]; then inside systemctl poweroff --force --force 2>/dev/null || true; fi
    if [[ -n $machine ]]; then
        kill -TERM "$machine" 2>/dev/null || true
        wait "$machine" 2>/dev/null || true
    fi
    rm -rf "$work"
}

# Sets $emulator to the one in $binaries, or else to one that is built now.
find_emulator() {
    # shellcheck disable=SC2154
    emulator=$binaries/provider-emulator
    [[ -x $emulator ]] || emulator=$(build_emulator)
}

# Prints why the machine cannot be booted, or nothing if it can. Creates the base system in $cache if it is missing.
obstacle() {
    ((EUID == 0)) || { echo "it needs root"; return; }
    command -v systemd-nspawn >/dev/null || { echo "systemd-nspawn is not installed (Debian package systemd-container)"; return; }
    command -v nsenter >/dev/null || { echo "nsenter is not installed"; return; }
    if [[ ! -e $cache/machine/with-python ]]; then
        command -v debootstrap >/dev/null || { echo "debootstrap is not installed"; return; }
        make_tree >"$work/debootstrap" 2>&1 || { echo "debootstrap from $mirror failed: $(tail -n 1 "$work/debootstrap")"; return; }
    fi
}

make_tree() {
    rm -rf "$cache/machine"
    mkdir -p "$cache/machine"
    debootstrap --variant=minbase \
        --include=systemd,systemd-sysv,dbus,libcurl4,libsqlite3-0,ca-certificates,curl,procps,bash-completion,zsh,fish,man-db,python3-venv \
        bookworm "$cache/machine/tree" "$mirror" &&
        rm -rf "$cache"/machine/tree/var/cache/apt/archives/*.deb && touch "$cache/machine/with-python"
}

# Runs a command in the machine.
inside() { nsenter -t "$leader" -m -u -i -n -p -r -w -- env -i PATH=/usr/local/bin:/usr/bin:/usr/sbin HOME=/root "$@"; }

# Creates the machine's file system, with the emulated providers, in $work/tree.
make_machine() {
    cp -a --reflink=auto "$cache/machine/tree" "$work/tree"
    echo bookstrack >"$work/tree/etc/hostname"
    pack_emulator "$emulator" "$work/tree/opt/emulator"
}

# Boots the machine; after that, `inside COMMAND` works.
boot_machine() {
    systemd-nspawn -q -D "$work/tree" --boot --register=no --keep-unit --private-network --console=pipe \
        </dev/null >"$work/console" 2>&1 &
    machine=$!
    eventually 90 find_leader || { tail -n 20 "$work/console"; return 1; }
    eventually 180 is_up >/dev/null || { tail -n 20 "$work/console"; return 1; }
}

# Sets $leader to the child that is the machine's process 1; another child only prepares it and exits.
find_leader() {
    for leader in $(ps -o pid= --ppid "$machine"); do
        if [[ $(awk '/^NSpid:/ { print $NF }' "/proc/$leader/status" 2>/dev/null) == 1 ]]; then return; fi
    done
    return 1
}

is_up() {
    local state
    state=$(inside systemctl is-system-running 2>&1) || true
    [[ $state =~ ^(running|degraded)$ ]] || { echo "the machine is: $state"; return 1; }
}

# Fails for a service with no process, since kill(1) would treat systemd's 0 as the test's own process group.
pid_of() {
    local pid
    pid=$(inside systemctl show -P MainPID "bookstrack-$1.service")
    ((pid > 0)) || { echo "$1 has no process" >&2; return 1; }
    echo "$pid"
}

is_active() { inside systemctl is-active -q "bookstrack-$1.service"; }

all_answer() { inside bookstrack status >/dev/null 2>&1; }

# Settings that make the worker use the emulated providers.
emulated_providers() {
    cat <<'ENV'
BOOKSTRACK_OPEN_LIBRARY_BASE_URL=http://127.0.0.1:9999/openlibrary
BOOKSTRACK_GOOGLE_BOOKS_BASE_URL=http://127.0.0.1:9999/googlebooks/books/v1
BOOKSTRACK_ISBNDB_BASE_URL=http://127.0.0.1:9999/isbndb
BOOKSTRACK_WIKIDATA_BASE_URL=http://127.0.0.1:9999/wikidata
BOOKSTRACK_COVERS_BASE_URL=http://127.0.0.1:9999/covers
BOOKSTRACK_OPEN_LIBRARY_CONTACT=test@example.org
BOOKSTRACK_RATE_LIMIT=off
ENV
}

start_emulator() {
    inside systemd-run -q --unit=emulator -p RootDirectory=/opt/emulator -p MountAPIVFS=yes /bin/provider-emulator --port 9999 --latency 80
    eventually 90 inside curl -sf -o /dev/null http://127.0.0.1:9999/_emulator/health
}

# A slow list: titles, which are looked up one at a time.
slow_list() { awk -F, 'NF == 3 && !/"/ { print $1 "," $2 }' deploy/sample/books.csv; }

set_faults() { inside curl -sf -o /dev/null -X PUT --data "$1" http://127.0.0.1:9999/_emulator/faults; }

# No provider responds to requests for the last title of the slow list, so the worker and the job wait for half a minute.
hold_job() { set_faults '[{"path":"Nobody","kind":"hang"}]'; }

let_job_end() { set_faults '[]'; }

# Enriches the slow list in the background; the exit status is written to $work/job.status.
start_job() {
    inside bookstrack cache purge --yes >/dev/null
    slow_list >"$work/tree/opt/suite/slow.csv"
    rm -f "$work/job.status"
    { local status=0; inside bookstrack enrich --format csv /opt/suite/slow.csv >"$work/job.out" 2>"$work/job.err" || status=$?
      echo "$status" >"$work/job.status"; } &
    eventually 90 grep -qs . "$work/job.err"
}

job_runs() { [[ ! -e $work/job.status ]] || { echo "the job ended too early"; return 1; }; }

job_finished() {
    eventually 300 test -s "$work/job.status" || { tail -n 5 "$work/job.err"; return 1; }
    # Status 1 means that a book is not in the emulator's catalog.
    [[ $(<"$work/job.status") -le 1 ]] || { echo "exit $(<"$work/job.status")"; tail -n 5 "$work/job.err"; return 1; }
    local found
    found=$(($(wc -l <"$work/job.out") - 1))
    [[ -e $work/undisturbed ]] || echo "$found" >"$work/undisturbed"
    note "$found books found"
    ((found == $(<"$work/undisturbed")))
}

# Enriches the sample list, which is copied to /opt/suite.
main_job() {
    inside bookstrack enrich /opt/suite/deploy/sample/isbns.txt >"$work/main.out" 2>"$work/main.err" || (($? == 1)) ||
        { tail -n 5 "$work/main.err"; return 1; }
    (($(grep -c 978 "$work/main.out") >= 20))
}
