# Tests the command line inside a container, its completions in this machine's bash, and the completions and manual page in the image.
# shellcheck shell=bash

in_api_proxy() { engine exec "$(container api-proxy)" bookstrack "$@"; }

# A token is stored and never printed. A later run finds it: without it, `cancel` would fail.
tokens_are_kept() {
    local job
    in_api_proxy enrich 9780441172719 >"$work/enrich" 2>&1
    cat "$work/enrich"
    ! grep -iE 'token|warning' "$work/enrich" || return 1
    job=$(sed -n 's/^Job \([0-9a-f-]*\),.*/\1/p' "$work/enrich")
    in_api_proxy cancel "${job:0:8}" | tee "$work/cancel"
    grep -q 'already ended' "$work/cancel"
}

# Completes as described in deploy/docs/containers.md, with a shell function that runs the command line in the container.
completes_jobs() {
    local job
    job=$(sed -n 's/^Job \([0-9a-f-]*\),.*/\1/p' "$work/enrich")
    in_api_proxy completions bash >"$work/completions"
    (
        set +eu
        bookstrack() { in_api_proxy "$@"; }
        # shellcheck source=/dev/null
        source "$work/completions"
        COMP_WORDS=(bookstrack results "${job:0:9}") COMP_CWORD=2
        COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=31
        _bookstrack bookstrack "${job:0:9}" results
        echo "offered: ${COMPREPLY[*]}"
        [[ ${COMPREPLY[*]} == *"$job"* ]]
    )
}

# The image contains completions and the manual page for operators who copy the program out of it.
has_completions() {
    local id
    id=$(engine create localhost/bookstrack:latest)
    engine cp "$id:/usr/local/share" "$work/share"
    engine rm "$id" >/dev/null
    grep -q enrich "$work/share/bash-completion/completions/bookstrack"
    grep -q enrich "$work/share/zsh/site-functions/_bookstrack"
    grep -q enrich "$work/share/fish/vendor_completions.d/bookstrack.fish"
    grep -q '^\.TH' "$work/share/man/man1/bookstrack.1"
}

# api-proxy's container has read-only access to the data.
permissions_are_in_order() {
    local said
    said=$(in_api_proxy doctor --json 2>&1) || true
    echo "$said"
    [[ $said == *'mounted read-only here'* ]] && ! grep -q 'you do not have permission' <<<"$said"
}

use_command_line() {
    say "Command line"
    check "enrich in a container prints no token, and a later command finds the token" quietly tokens_are_kept
    check "doctor in a container does not ask for permission to write to the data" quietly permissions_are_in_order
    check "a shell on this machine completes the identifiers of the containers' jobs" quietly completes_jobs
    check "completions and the manual page are in the image" quietly has_completions
}
