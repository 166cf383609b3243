# Packages the provider emulator for a container or a machine that lacks its libraries.
# shellcheck shell=bash

# pack_emulator PROGRAM ROOT: creates the directory ROOT with provider-emulator and its libraries.
pack_emulator() {
    local emulator=$1 root=$2 library
    mkdir -p "$root/bin" && cp "$emulator" "$root/bin/provider-emulator" && ldd "$emulator" >"$work/libraries" || return
    while read -r library; do
        cp --parents --dereference "$library" "$root" || return
    done < <(sed -n 's/^[^/]*\(\/[^ ]*\).*/\1/p' "$work/libraries")
}

# build_emulator: builds it with the tests' flags, and prints its path.
build_emulator() {
    build_debug --product provider-emulator >"$work/emulator.log" 2>&1 || { cat "$work/emulator.log" >&2; return 1; }
    echo "$(swift build --show-bin-path)/provider-emulator"
}
