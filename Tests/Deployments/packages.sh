# Provides programs from Debian packages without installing them. Needs $cache.
# shellcheck shell=bash

# Prints the path of a program from a Debian package: the installed one, or else one unpacked in $cache, which starts no daemon.
debian_program() {
    local package=$1 program=$2
    if command -v "$program"; then return; fi
    if [[ ! -x $cache/tools/$package$program ]]; then
        mkdir -p "$cache/tools/$package"
        (cd "$cache/tools" && download "$package" && dpkg -x "$package"_*.deb "$package") >&2 || return 1
    fi
    echo "$cache/tools/$package$program"
}

# Downloads a package; if that fails, updates the package lists, which may be missing or outdated, and tries again.
download() {
    apt-get download --quiet "$1" || { apt-get update -qq && apt-get download --quiet "$1"; }
}
