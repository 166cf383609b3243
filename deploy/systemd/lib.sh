# What belongs to BooksTrack on a machine with systemd, and how it is started and removed. Shared by deploy/install, deploy/uninstall and
# the maintainer scripts of the Debian package, which deploy/release puts behind this file. Needs say.
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
# Where deploy/install puts the programs, and where the package does.
programs=/usr/local/lib/bookstrack
packaged_programs=/usr/lib/bookstrack

# Where each shell looks for the completions of programs that no package has installed, and man for their pages. fish knows
# /usr/local/share only where XDG_DATA_DIRS names it, as a desktop does.
declare -A completions=(
    [bash]=/usr/local/share/bash-completion/completions/bookstrack
    [zsh]=/usr/local/share/zsh/site-functions/_bookstrack
    [fish]=/etc/fish/completions/bookstrack.fish
)
manual=/usr/local/share/man/man1/bookstrack.1

require_systemd() {
    ((EUID == 0)) || fail "has to be run as root"
    [[ -d /run/systemd/system ]] || fail "this machine does not run systemd"
    local version
    version=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
    ((version >= 252)) || fail "systemd $version is too old; 252 or later is needed"
}

# The user of the services, the directory of their sockets, and that of the providers' keys.
make_user_and_directories() {
    systemd-sysusers bookstrack.conf
    systemd-tmpfiles --create bookstrack.conf
    install -d -m 0755 /etc/bookstrack
    install -d -m 0700 /etc/bookstrack/credentials
}

# Restarts each service once the one before it is ready; the rest of the suite copes with one that is away. A service that does not start
# is explained (explain SERVICE). Further arguments are the command that controls units.
restart_in_order() {
    local service control=("${@:-systemctl}")
    for service in "${services[@]}"; do
        say "Restarting $service"
        # One that failed too often is not refused for it.
        systemctl reset-failed "bookstrack-$service.service" 2>/dev/null || true
        "${control[@]}" restart "bookstrack-$service.service" || explain "$service"
    done
    systemctl try-restart "$further_workers"
}

# Prints the last lines of a service's log. Fails unless the service ended because of a setting (64, 78), which is none of the programs'
# doing.
ended_by_setting() {
    local unit=bookstrack-$1.service
    journalctl --no-pager -n 10 -o cat -u "$unit" >&2
    case $(systemctl show -P ExecMainStatus "$unit") in
    64 | 78) return 0 ;;
    *) return 1 ;;
    esac
}

# Stops everything, clients' side first, and waits for it.
stop_suite() {
    systemctl stop bookstrack.target
    systemctl stop "${units[@]}" "$further_workers"
}

# Instances of the template that the administrator enabled.
remove_instances() { rm -f /etc/systemd/system/bookstrack.target.wants/bookstrack-enrichment-worker@*.service; }

remove_data_and_user() {
    local unit
    rm -rf /var/lib/bookstrack /etc/bookstrack /run/bookstrack
    for unit in "${units[@]}" "$template"; do rm -rf "/etc/systemd/system/$unit.d"; done
    if getent passwd bookstrack >/dev/null; then userdel bookstrack; fi
    if getent group bookstrack >/dev/null; then groupdel bookstrack; fi
}
