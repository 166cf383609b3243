# The shelf reader in the tests' machines and containers. Needs $cache and $work.
# shellcheck shell=bash

# Downloads the shelf reader's requirements for Debian's Python to $cache/wheels, for machines and images without access to PyPI.
download_wheels() (
    requirements=deploy/shelf-reader/requirements.txt wheels=$cache/wheels
    # Machines and containers may be tested at the same time.
    exec {lock}>"$cache/wheels.lock"
    flock "$lock"
    if cmp -s "$requirements" "$wheels/requirements.txt"; then exit; fi
    rm -rf "$wheels"
    python3 -m venv "$work/pip" &&
        timeout 300 "$work/pip/bin/pip" download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
            --python-version 3.11 --dest "$wheels" -r "$requirements" &&
        cp "$requirements" "$wheels/"
)

# reads_sample PICTURE COMMAND…: checks that a command line scans PICTURE, a copy of deploy/sample/shelf.png, with the shelf reader, and finds its
# three books, which the emulated providers have.
reads_sample() {
    local picture=$1 said
    shift
    # Status 1 means that a book needs a review.
    "$@" scan --json "$picture" >"$work/scan.json" || (($? == 1)) || return
    said=$(python3 -c 'import json, sys
results = json.load(sys.stdin)
found = [book["title"] for book in results["books"] if book["enrichmentStatus"] == "success"]
print(results["metadata"]["modelUsed"], *sorted(found), sep=", ")' <"$work/scan.json")
    [[ $said == "shelf-reader, A Tale of Two Cities, Jane Eyre, The Great Gatsby" ]] || { echo "$said"; return 1; }
}
