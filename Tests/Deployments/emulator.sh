# The emulated providers, for a container or a machine that lacks the libraries that they need.
# shellcheck shell=bash

# pack_emulator PROGRAM ROOT: lays out a root directory that holds provider-emulator and its libraries.
pack_emulator() {
    local emulator=$1 root=$2 library
    mkdir -p "$root/bin" && cp "$emulator" "$root/bin/provider-emulator" && ldd "$emulator" >"$work/libraries" || return
    while read -r library; do
        cp --parents --dereference "$library" "$root" || return
    done < <(sed -n 's/^[^/]*\(\/[^ ]*\).*/\1/p' "$work/libraries")
}

# build_emulator: builds it as the tests do, and prints where it is.
build_emulator() {
    build_debug --product provider-emulator >"$work/emulator.log" 2>&1 || { cat "$work/emulator.log" >&2; return 1; }
    echo "$(swift build --show-bin-path)/provider-emulator"
}
