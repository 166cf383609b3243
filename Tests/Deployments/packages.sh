# Programs of Debian packages for a test, without installing them. Needs $cache.
# shellcheck shell=bash

# Prints where a program of a Debian package is: installed, else unpacked below $cache, which starts no daemon.
debian_program() {
    local package=$1 program=$2
    if command -v "$program"; then return; fi
    if [[ ! -x $cache/tools/$package$program ]]; then
        mkdir -p "$cache/tools/$package"
        (cd "$cache/tools" && download "$package" && dpkg -x "$package"_*.deb "$package") >&2 || return 1
    fi
    echo "$cache/tools/$package$program"
}

# A machine that has no lists of packages yet, or old ones, gets them first.
download() {
    apt-get download --quiet "$1" || { apt-get update -qq && apt-get download --quiet "$1"; }
}
