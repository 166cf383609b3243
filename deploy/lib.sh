# Shared by the scripts in deploy and Tests/Deployments: packages, builds and child processes.
# shellcheck shell=bash

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
fail() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# The repository's root; every path below is relative to it.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# Installs those of the given Debian or Ubuntu packages that are missing. On systems without dpkg, where packages have other names, prints the names
# of all of them instead.
install_packages() {
    local missing=() package
    if ! command -v dpkg-query >/dev/null; then echo "Required packages (Debian names): $*"; return; fi
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    command -v apt-get >/dev/null || fail "install these packages first: ${missing[*]}"
    say "Installing ${missing[*]}"
    local as_root=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "run this as root first: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    # Only one script at a time: a second one would find apt's lists locked and fail.
    "${as_root[@]}" flock /var/lib/dpkg env DEBIAN_FRONTEND=noninteractive sh -ec '
        apt-get update -qq
        apt-get install -y -qq "$@" >/dev/null' sh "${missing[@]}"
}

# Installs the packages that a build requires, and fails if there is no Swift toolchain or if it is too old.
prepare_machine() {
    install_packages libcurl4-openssl-dev libsqlite3-dev zlib1g-dev pkg-config ca-certificates
    command -v swift >/dev/null || fail "a Swift toolchain (6.2 or later) is required (https://www.swift.org/install/linux)"
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    [[ "$(printf '6.2\n%s\n' "$version" | sort -V | head -n 1)" == 6.2 ]] ||
        fail "Swift $version is too old; 6.2 or later is required"
}

# Builds for tests. All test builds use the same flags; otherwise everything would be recompiled. Colored output is one of the flags, and
# SwiftPM enables it on a terminal.
build_debug() {
    local flags
    read -ra flags <<<"${BOOKSTRACK_BUILD_FLAGS:-}"
    swift build --no-color-diagnostics "${flags[@]}" "$@"
}

# Builds release products: build_release PRODUCT…; sets $bin to their directory. The Swift libraries are linked statically, which saves memory.
build_release() {
    local product
    for product in "$@"; do swift build -c release --static-swift-stdlib --no-color-diagnostics --product "$product"; done
    # shellcheck disable=SC2034  # for scripts that source this file
    bin=$(swift build -c release --static-swift-stdlib --no-color-diagnostics --show-bin-path)
}

# Builds the programs that are installed; sets $bin to their directory, .build/programs. As in packages and images, the services are links to the
# program bookstrack, so that they share most of their memory.
build_programs() {
    local programs=$PWD/.build/programs service
    build_release bookstrack-suite
    mkdir -p "$programs"
    install -m 0755 "$bin/bookstrack-suite" "$programs/bookstrack"
    for service in api-proxy progress-host enrichment-worker; do ln -sfn bookstrack "$programs/$service"; done
    bin=$programs
}

# Runs random inputs through one of the programs in Tests under the address sanitizer: fuzz CONFIGURATION PROGRAM INPUTS SEED. The same seed
# produces the same inputs.
fuzz() {
    swift build -c "$1" --disable-index-store --no-color-diagnostics --product "$2" --sanitize=address --scratch-path .build/sanitized
    say "$2: $3 inputs, seed $4"
    ".build/sanitized/$1/$2" --inputs "$3" --seed "$4"
}

children=()

# Starts a program in the background: start NAME COMMAND…; its output goes to $work/NAME.log, which exists immediately.
start() {
    local name=$1
    shift
    : >"$work/$name.log"
    "$@" >"$work/$name.log" 2>&1 &
    children+=($!)
}

# Stops everything that `start` started, newest first, and removes the working directory.
stop_all() {
    trap '' INT TERM
    local index
    for ((index = ${#children[@]} - 1; index >= 0; index--)); do
        kill "${children[index]}" 2>/dev/null || true
        wait "${children[index]}" 2>/dev/null || true
    done
    children=()
    if [[ -n "${work:-}" ]]; then rm -rf "$work"; fi
}

# A free loopback port, below the ephemeral port range (ip(7), ip_local_port_range).
free_port() {
    local port
    for port in $(shuf -i 20000-32000 -n 50); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
    done
    fail "no free port found"
}
