# Tests the sample TLS proxies in front of the running containers, in the containers' network namespace.
# shellcheck shell=bash

try_proxies() {
    say "TLS proxies"
    # The samples listen on ports 80 and 443, which are certain to be free only in a separate network namespace.
    if [[ -z ${namespace:-} ]]; then
        skip "nginx and Caddy" "the containers share the machine's ports"
        return
    fi
    # Client addresses, two for each proxy, so that requests through the other proxy do not count toward their limits.
    local client
    for client in 192.0.2.{5,6,7,8}; do inside ip address add "$client/32" dev lo; done
    try_nginx
    try_caddy
}

try_nginx() {
    local nginx
    nginx=$(debian_program nginx /usr/sbin/nginx) || { skip nginx "Debian's nginx is not available"; return; }
    openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=books.example.org -keyout "$work/tls.key" -out "$work/tls.pem" \
        2>/dev/null
    sed -e "s#/etc/ssl/certs/books.example.org.pem#$work/tls.pem#" -e "s#/etc/ssl/private/books.example.org.key#$work/tls.key#" \
        deploy/nginx/bookstrack.conf >"$work/bookstrack.conf"
    mkdir -p "$work/nginx"
    cat >"$work/nginx.conf" <<NGINX
daemon off;
user root;
pid $work/nginx/pid;
error_log stderr;
events {}
http {
    access_log off;
    client_body_temp_path $work/nginx/body;
    proxy_temp_path $work/nginx/proxy;
    fastcgi_temp_path $work/nginx/fastcgi;
    uwsgi_temp_path $work/nginx/uwsgi;
    scgi_temp_path $work/nginx/scgi;
    include $work/bookstrack.conf;
}
NGINX
    check "nginx accepts deploy/nginx/bookstrack.conf without warnings" prints_nothing "$nginx" -q -t -e stderr -c "$work/nginx.conf"
    ((check_status == 0)) || return
    start nginx nsenter --net="/run/netns/$namespace" "$nginx" -e stderr -c "$work/nginx.conf"
    try_proxy nginx 192.0.2.5 192.0.2.6
}

try_caddy() {
    local caddy
    caddy=$(debian_program caddy /usr/bin/caddy) || { skip Caddy "Debian's caddy is not available"; return; }
    check "caddy accepts deploy/caddy/Caddyfile" quietly env XDG_DATA_HOME="$work/caddy" XDG_CONFIG_HOME="$work/caddy" \
        "$caddy" validate --config deploy/caddy/Caddyfile --adapter caddyfile
    ((check_status == 0)) || return
    start caddy nsenter --net="/run/netns/$namespace" env XDG_DATA_HOME="$work/caddy" XDG_CONFIG_HOME="$work/caddy" \
        BOOKSTRACK_UPSTREAM=127.0.0.1:8787 "$caddy" run --config deploy/caddy/Caddyfile --adapter caddyfile
    try_proxy Caddy 192.0.2.7 192.0.2.8
}

# try_proxy NAME CLIENT CLIENT: tests the proxy that the last `start` has started, from a client's point of view, and then stops it.
try_proxy() {
    check "$1: HTTPS reaches api-proxy" quietly eventually 90 answers https://localhost/health
    check "$1: HTTP is redirected to HTTPS" quietly redirects_to_https
    if [[ -x $python/python3 ]] && "$python/python3" -c 'import websockets' 2>/dev/null; then
        check "$1: a job is followed to its end over a WebSocket" \
            inside "$python/python3" Tests/Deployments/socket_through_proxy.py https://localhost deploy/sample/isbns.txt
    else
        skip "$1: a WebSocket" "Python's websockets cannot be installed"
    fi
    check "$1: a WebSocket for several jobs can be opened" opens_socket /ws/jobs
    check "$1: clients are distinguished by their addresses, whatever address they claim" distinguishes_clients "$2" "$3"
    kill "${children[-1]}"
    wait "${children[-1]}" 2>/dev/null || true
    unset 'children[-1]'
}

answers() { inside curl --silent --insecure --fail --max-time 10 "$1"; }

redirects_to_https() {
    local status
    status=$(inside curl --silent --output /dev/null --write-out '%{http_code} %{redirect_url}' --max-time 20 http://localhost/health)
    echo "$status"
    [[ $status == 308\ https://localhost/health ]]
}

# opens_socket PATH: checks that a WebSocket can be opened. curl keeps it open until its time limit.
opens_socket() {
    local status
    status=$(inside curl --silent --insecure --http1.1 --max-time 8 --output /dev/null --write-out '%{http_code}' \
        --header "Connection: Upgrade" --header "Upgrade: websocket" --header "Sec-WebSocket-Version: 13" \
        --header "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==" "https://localhost$1") || true
    echo "$status"
    [[ $status == 101 ]]
}

# remaining FROM [CLAIM]: prints how many requests the client at the address FROM has left. CLAIM is a different address that it claims.
remaining() {
    inside curl --silent --insecure --max-time 20 --output /dev/null --dump-header - --interface "$1" \
        ${2:+--header "X-Forwarded-For: $2"} "https://localhost/v1/search/isbn?isbn=9780743273565" |
        tr -d '\r' | sed -n 's/^x-ratelimit-remaining: //Ip'
}

# distinguishes_clients CLIENT CLIENT: checks that the proxy keeps two clients apart; neither address may have sent a request before.
distinguishes_clients() {
    local first second other
    first=$(remaining "$1")
    second=$(remaining "$1" 198.51.100.9)
    other=$(remaining "$2")
    echo "remaining: $first, then $second, at the other address $other"
    ((second < first && other > second))
}
