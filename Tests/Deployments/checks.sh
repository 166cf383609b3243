# Shared by the deployment tests: prints one line per check, and the counts at the end.
# shellcheck shell=bash

checks_passed=0
# The name of each failed check, followed by the end of its output.
checks_failed=()
# Status of the last check: 0 if it passed.
check_status=0

note() { printf '      %s\n' "$*"; }

pass() {
    printf 'ok    %s\n' "$1"
    checks_passed=$((checks_passed + 1))
}

# failed WHAT [OUTPUT]
failed() {
    printf 'FAIL  %s\n' "$1"
    checks_failed+=("$1${2:+$'\n'$(tail -n 5 <<<"$2" | indented)}")
}

indented() { sed 's/^ \{0,6\}/      /'; }

# skip WHAT WHY: prints that a check is skipped, and why.
skip() { printf 'skip  %s: %s\n' "$1" "$2"; }

# field NAME…: prints a member of the JSON object on standard input; further names lead to nested members.
field() {
    python3 -c 'import functools, json, sys
print(functools.reduce(lambda value, name: value[name], sys.argv[1:], json.load(sys.stdin)))' "$@"
}

# check WHAT COMMAND…: passes if the command succeeds; its output is shown below the line. The command runs in a subshell with set -e, so a
# failure in any line of a function counts. Do not use check in a condition, where bash ignores set -e.
check() {
    local what=$1 output
    shift
    output=$(set -e; "$@" 2>&1)
    check_status=$?
    if ((check_status == 0)); then pass "$what"; else failed "$what" "$output"; fi
    if [[ -n $output ]]; then indented <<<"$output"; fi
}

# eventually SECONDS COMMAND…: repeats the command until it succeeds; fails once this time has passed.
eventually() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.1
    done
}

# Fails if a command prints anything.
prints_nothing() {
    local said
    said=$("$@" 2>&1) || true
    [[ -z $said ]] || { printf '%s\n' "$said"; return 1; }
}

# Repeats the failed checks at the end, where a reader of a long log looks for them.
summary() {
    local failure
    for failure in ${checks_failed[@]+"${checks_failed[@]}"}; do printf 'FAIL  %s\n' "$failure"; done
    printf '%d passed, %d failed\n' "$checks_passed" "${#checks_failed[@]}"
    ((${#checks_failed[@]} == 0))
}
