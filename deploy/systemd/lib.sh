# BooksTrack's files on a machine with systemd, and functions to start and remove it. Shared by deploy/install, deploy/uninstall and
# the Debian package's maintainer scripts, to which deploy/release prepends this file. Requires the function say.
# shellcheck shell=bash disable=SC2034

# In the order in which they start.
services=(progress-host enrichment-worker api-proxy)
units=(
    bookstrack-progress-host.service bookstrack-enrichment-worker.service
    bookstrack-api-proxy.socket bookstrack-api-proxy.service bookstrack.target
)
# The worker's unit as a template; its instances are further workers.
template=bookstrack-enrichment-worker@.service
further_workers='bookstrack-enrichment-worker@*.service'
# Matches nothing if the shelf reader is not installed.
shelf_reader='bookstrack-shelf-reader*.service'
# The program directories of deploy/install and of the package.
programs=/usr/local/lib/bookstrack
packaged_programs=/usr/lib/bookstrack

# Where shells look for completions, and man for manual pages, of locally installed programs. fish searches /usr/local/share only if
# it is in XDG_DATA_DIRS, as on a desktop.
declare -A completions=(
    [bash]=/usr/local/share/bash-completion/completions/bookstrack
    [zsh]=/usr/local/share/zsh/site-functions/_bookstrack
    [fish]=/etc/fish/completions/bookstrack.fish
)
manual=/usr/local/share/man/man1/bookstrack.1

require_systemd() {
    ((EUID == 0)) || fail "must be run as root"
    [[ -d /run/systemd/system ]] || fail "systemd is not running on this machine"
    local version
    version=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
    ((version >= 252)) || fail "systemd $version is too old; 252 or later is required"
}

# Creates the services' user and directories, and the directory for keys.
make_user_and_directories() {
    systemd-sysusers bookstrack.conf
    systemd-tmpfiles --create bookstrack.conf
    install -d -m 0755 /etc/bookstrack
    install -d -m 0700 /etc/bookstrack/credentials
}

# Restarts the services one after the other, each when the previous one is ready; the others keep running. Then restarts the further
# workers. Calls explain SERVICE if a service does not start. The arguments are the command that restarts services (default: systemctl).
restart_in_order() {
    local service control=("${@:-systemctl}")
    for service in "${services[@]}"; do
        say "Restarting $service"
        # Otherwise, a service that has failed too often could not be started.
        systemctl reset-failed "bookstrack-$service.service" 2>/dev/null || true
        "${control[@]}" restart "bookstrack-$service.service" || explain "$service"
    done
    # A further worker that does not start does not fail the installation.
    systemctl try-restart "$further_workers" ||
        echo "A further worker does not start; see: journalctl -u '$further_workers'" >&2
}

# Prints the last lines of a service's log. Fails unless the service exited because of a setting (64, 78), which is not the programs' fault.
ended_by_setting() {
    local unit=bookstrack-$1.service
    journalctl --no-pager -n 10 -o cat -u "$unit" >&2
    case $(systemctl show -P ExecMainStatus "$unit") in
    64 | 78) return 0 ;;
    *) return 1 ;;
    esac
}

# Stops all services, starting with api-proxy, and waits for them. The shelf reader runs as the same user, which can be removed only after the
# reader has ended.
stop_suite() {
    systemctl stop bookstrack.target
    systemctl stop "${units[@]}" "$further_workers" "$shelf_reader"
}

# Removes the template's enabled instances.
remove_instances() { rm -f /etc/systemd/system/bookstrack.target.wants/bookstrack-enrichment-worker@*.service; }

remove_data_and_user() {
    local unit
    rm -rf /var/lib/bookstrack /etc/bookstrack /run/bookstrack
    for unit in "${units[@]}" "$template"; do rm -rf "/etc/systemd/system/$unit.d"; done
    if getent passwd bookstrack >/dev/null; then userdel bookstrack; fi
    if getent group bookstrack >/dev/null; then groupdel bookstrack; fi
}
