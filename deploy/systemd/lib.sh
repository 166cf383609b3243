# Shared by deploy/install and deploy/uninstall: what belongs to BooksTrack on a machine.
# shellcheck shell=bash disable=SC2034

# In the order in which they start.
services=(progress-host enrichment-worker api-proxy)
units=(
    bookstrack-progress-host.service bookstrack-enrichment-worker.service
    bookstrack-api-proxy.socket bookstrack-api-proxy.service bookstrack.target
)
# The same unit once more: its instances are further workers.
template=bookstrack-enrichment-worker@.service
further_workers='bookstrack-enrichment-worker@*.service'
programs=/usr/local/lib/bookstrack

require_systemd() {
    ((EUID == 0)) || fail "has to be run as root"
    [[ -d /run/systemd/system ]] || fail "this machine does not run systemd"
    local version
    version=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
    ((version >= 252)) || fail "systemd $version is too old; 252 or later is needed"
}

# Where each shell looks for the completions of programs that no package has installed, and man for their pages. fish knows
# /usr/local/share only where XDG_DATA_DIRS names it, as a desktop does.
declare -A completions=(
    [bash]=/usr/local/share/bash-completion/completions/bookstrack
    [zsh]=/usr/local/share/zsh/site-functions/_bookstrack
    [fish]=/etc/fish/completions/bookstrack.fish
)
manual=/usr/local/share/man/man1/bookstrack.1
