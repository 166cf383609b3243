# A container engine for the tests: Docker with Compose if its daemon responds, or else Podman with podman-compose, as root, with separate
# images, volumes and a separate network namespace. Needs $work (a short path), $cache, $python (the directory of podman-compose), $project
# and $profiles.
# shellcheck shell=bash

# Returns false and sets $reason if there is no engine.
prepare_engine() {
    if docker compose version >/dev/null 2>&1 && docker info >/dev/null 2>&1; then
        engine=docker
        return
    fi
    engine=podman
    reason="Docker with Compose is not running, and Podman needs root"
    ((EUID == 0)) || return 1
    reason="Docker with Compose is not running, and podman-compose cannot be installed"
    [[ -x $python/podman-compose ]] || return 1
    reason="Docker with Compose is not running, and Podman's packages cannot be installed"
    (install_packages podman buildah runc netavark aardvark-dns iptables iproute2 debootstrap) || return 1
    reason="Podman cannot start a container"
    prepare_podman
}

prepare_podman() {
    mkdir -p "$cache/tmp"
    cat >"$work/storage.conf" <<STORAGE
[storage]
driver = "overlay"
graphroot = "$cache/storage"
runroot = "$work/run"
STORAGE
    cat >"$work/containers.conf" <<CONTAINERS
[containers]
default_ulimits = ["nofile=20000:20000", "nproc=30000:30000"]
log_driver = "k8s-file"
[engine]
runtime = "runc"
events_logger = "file"
$([[ -d /run/systemd/system ]] || echo 'cgroup_manager = "cgroupfs"')
[network]
network_backend = "netavark"
network_config_dir = "$work/networks"
CONTAINERS
    # In this directory, buildah keeps the cache that the Dockerfile mounts.
    export TMPDIR=$cache/tmp
    export CONTAINERS_CONF=$work/containers.conf CONTAINERS_STORAGE_CONF=$work/storage.conf
    # The records of an earlier run refer to deleted directories; the images are stored separately.
    rm -rf "$cache"/storage/{libpod,volumes,overlay-containers}

    # The containers use a separate network namespace, so their ports and addresses cannot conflict with the
    # machine's.
    namespace=bookstrack-$$
    ip netns add "$namespace" && inside ip link set lo up && podman info >/dev/null
}

release_engine() {
    if [[ -n ${namespace:-} ]]; then ip netns delete "$namespace" || true; fi
}

# Runs a command where the published ports are reachable: in the separate network namespace with Podman, and on this machine itself with Docker.
inside() { if [[ -n ${namespace:-} ]]; then nsenter --net="/run/netns/$namespace" "$@"; else "$@"; fi; }

# Runs the engine, without Podman's warnings about missing syslog and systemd.
engine() { inside "$engine" "$@" 2> >(grep -v -e syslog -e 'systemd connection' >&2); }

compose() {
    local program=(docker compose)
    [[ $engine == docker ]] || program=("$python/podman-compose")
    inside "${program[@]}" -p "$project" -f docker-compose.yml -f "$work/override.yml" "${profiles[@]}" "$@" \
        2> >(grep -v -e syslog -e 'systemd connection' >&2)
}

# container SERVICE: prints the name of its container.
container() {
    engine ps --all --filter "label=com.docker.compose.project=$project" --filter "label=com.docker.compose.service=$1" \
        --format '{{.Names}}' | head -n 1
}

# main_process SERVICE: prints the host's process id of process 1 in its container.
main_process() { engine inspect --format '{{.State.Pid}}' "$(container "$1")"; }

# healthy SERVICE: whether it is healthy. With Podman, runs the health check, because without systemd Podman runs checks only on demand.
healthy() {
    if [[ $engine == podman ]]; then
        engine healthcheck run "$(container "$1")"
    else
        [[ $(engine inspect --format '{{.State.Health.Status}}' "$(container "$1")") == healthy ]]
    fi
}

# Builds the image from the repository's Dockerfile.
build_image() {
    if [[ $engine == docker ]]; then
        docker compose build && docker tag bookstrack:latest localhost/bookstrack:latest
        return
    fi
    local volumes=()
    base_images
    buildah bud --isolation chroot --network host --pull-never --layers=false "${volumes[@]}" \
        --tag localhost/bookstrack:latest --file deploy/Dockerfile .
}

# Provides both base images, from their registry or else built from Debian's packages and this machine's toolchain.
base_images() {
    local debian=docker.io/library/debian:bookworm-slim swift=docker.io/library/swift:6.2-bookworm
    if [[ ! -e $cache/own-bases ]]; then
        podman image exists "$debian" || timeout 60 podman pull --quiet "$debian" || touch "$cache/own-bases"
    fi
    if [[ ! -e $cache/own-bases ]]; then
        podman image exists "$swift" || timeout 900 podman pull --quiet "$swift"
        return
    fi
    if ! podman image exists "$debian"; then make_debian "$debian"; fi
    local toolchain
    toolchain=$(swift -print-target-info | field paths runtimeResourcePath)
    toolchain=${toolchain%/lib/swift}
    volumes=(--volume "$toolchain:$toolchain:ro")
    take_git_mappings
    if ! podman image exists "$swift"; then make_swift "$swift" "$debian" "$toolchain"; fi
}

# If git is configured to fetch packages from a local directory, the build uses that directory, too.
take_git_mappings() {
    local key value directory
    : >"$work/gitconfig"
    git config --file "$work/gitconfig" safe.directory '*'
    while read -r key value; do
        git config --file "$work/gitconfig" --add "$key" "$value"
        directory=${key#url.}
        directory=${directory%.insteadof}
        if [[ -d $directory ]]; then volumes+=(--volume "${directory%/}:${directory%/}:ro"); fi
    done < <(git config --get-regexp '^url\..*\.insteadof$')
    volumes+=(--volume "$work/gitconfig:/etc/gitconfig:ro")
}

make_debian() {
    debootstrap --variant=minbase --include=ca-certificates bookworm "$cache/debian"
    tar -C "$cache/debian" -cf "$cache/debian.tar" --exclude='./proc/*' --exclude='./sys/*' --exclude='./dev/*' \
        --exclude='./var/cache/*' --exclude='./var/lib/apt/lists/*' --exclude='./usr/share/doc/*' \
        --exclude='./usr/share/man/*' --exclude='./usr/share/locale/*' .
    podman import --quiet "$cache/debian.tar" "$1"
    rm -rf "$cache/debian" "$cache/debian.tar"
}

# Builds the shelf reader's image; its stage of the Dockerfile needs no other stage.
build_reader_image() {
    local base=docker.io/library/python:3.13-slim-bookworm volumes=()
    if [[ $engine == docker ]]; then
        docker compose --profile reader build shelf-reader &&
            docker tag bookstrack-shelf-reader:latest localhost/bookstrack-shelf-reader:latest
        return
    fi
    if [[ -e $cache/own-bases ]]; then
        download_wheels || return
        volumes=(--volume "$cache/wheels:/wheels:ro")
        podman image exists "$base" || make_python "$base" || return
    else
        podman image exists "$base" || timeout 300 podman pull --quiet "$base" || return
    fi
    sed -n '/ AS shelf-reader$/,/^CMD/p' deploy/Dockerfile | buildah bud --isolation chroot --network host --pull-never --layers=false \
        "${volumes[@]}" --tag localhost/bookstrack-shelf-reader:latest --file - .
}

make_python() {
    buildah bud --isolation chroot --network host --pull-never --tag "$1" --file - "$work" <<CONTAINERFILE
FROM docker.io/library/debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends python3-pip && ln -s python3 /usr/bin/python \\
    && rm -rf /var/lib/apt/lists/*
ENV PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels PIP_BREAK_SYSTEM_PACKAGES=1
CONTAINERFILE
}

make_swift() {
    buildah bud --isolation chroot --network host --pull-never --tag "$1" --file - "$work" <<CONTAINERFILE
FROM $2
RUN apt-get update && apt-get install -y --no-install-recommends binutils git libc6-dev libedit2 libgcc-12-dev libncurses6 \
    libstdc++-12-dev libxml2 libz3-4 pkg-config tzdata zlib1g-dev && rm -rf /var/lib/apt/lists/*
ENV PATH=$3/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
CONTAINERFILE
}
