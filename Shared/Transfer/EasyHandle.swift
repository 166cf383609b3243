internal import CCurlShim

/// A libcurl easy handle, one per running transfer, pooled by ``TransferLoop``. Used only on the engine's thread.
struct EasyHandle: Hashable {
    let pointer: UnsafeMutableRawPointer

    init(pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer
    }

    /// - Returns: nil if libcurl is out of memory.
    init?() {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
    }

    /// Resets every option; connections and resolved names stay with the multi handle.
    func reset() {
        curl_easy_reset(pointer)
    }

    func free() {
        curl_easy_cleanup(pointer)
    }

    /// Makes libcurl close the transfer's connection at the end of the transfer, unless other transfers are using the connection.
    ///
    /// libcurl would otherwise keep an HTTP/2 connection after a timeout. If a router has forgotten the connection, all further requests to the host
    /// would time out, too, until the system gives up on it after about 15 minutes (tcp(7), `tcp_retries2`).
    func forbidReuse() {
        curlshim_set_long(pointer, CURLOPT_FORBID_REUSE, 1)
    }

    /// Sets up the handle for a transfer, which must exist until the handle is removed from the multi handle.
    /// - Throws: ``TransferError/invalidRequest(reason:)`` if libcurl refuses an option.
    func configure(
        for transfer: CurlTransfer, userAgent: UserAgent, limits: TransferLimits, authorities: String?
    ) throws(TransferError) {
        try setRequest(transfer.submission.request, userAgent: userAgent)
        try check(curlshim_set_list(pointer, CURLOPT_HTTPHEADER, transfer.headerList))
        try setConnection(limits: limits)
        if let addressList = transfer.addressList {
            try check(curlshim_set_list(pointer, CURLOPT_CONNECT_TO, addressList))
        }
        try setRoute(proxy: transfer.proxy, authorities: authorities)
        let connect = transfer.submission.request.timeouts.connect.wholeMilliseconds
        // Zero would mean libcurl's default.
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, connect)))
        if !transfer.submission.request.cutsAnswer {
            try check(curlshim_set_offset(pointer, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limits.bodyBytes)))
        }
        try TransferCallbacks.install(on: self, for: transfer)
    }

    private func setRequest(_ request: TransferRequest, userAgent: UserAgent) throws(TransferError) {
        try set(CURLOPT_URL, request.url)
        if let server = request.server { try set(CURLOPT_UNIX_SOCKET_PATH, server.path) }
        try set(CURLOPT_PROTOCOLS_STR, request.trust == .configured ? "http,https" : "https")
        if let body = request.body {
            try set(CURLOPT_POST, 1)
            try check(curlshim_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
        }
        try set(CURLOPT_USERAGENT, userAgent.text)
        // An empty list means all encodings that this libcurl can decode.
        try set(CURLOPT_ACCEPT_ENCODING, "")
        // Over TLS, the handshake negotiates the HTTP version, and waiting for it saves connections. Without TLS, the version would be known only
        // after the first complete response, so a stalled response would delay all other requests to its host.
        let isSecure = request.url.prefix(6).lowercased() == "https:"
        try set(CURLOPT_HTTP_VERSION, Int(isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
        try set(CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
    }

    private func setConnection(limits: TransferLimits) throws(TransferError) {
        try set(CURLOPT_NOSIGNAL, 1)
        // Without this option, removing a transfer during name resolution would wait for the resolver and stall all other transfers.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        try set(CURLOPT_DNS_CACHE_TIMEOUT, Int(limits.nameLifetime.components.seconds))
    }

    /// Sets the proxy explicitly and ignores the environment, because ``ProxyRule`` has already chosen the proxy, and the address rule depends on it.
    private func setRoute(proxy: String?, authorities: String?) throws(TransferError) {
        try set(CURLOPT_PROXY, proxy ?? "")
        try set(CURLOPT_NOPROXY, "")
        // The proxy's own response is not part of the provider's.
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        guard let authorities else { return }
        try set(CURLOPT_CAINFO, authorities)
        try set(CURLOPT_PROXY_CAINFO, authorities)
    }

    private func set(_ option: CURLoption, _ value: Int) throws(TransferError) {
        try check(curlshim_set_long(pointer, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(TransferError) {
        try check(curlshim_set_string(pointer, option, value))
    }

    /// Throws libcurl's reason if it refused an option.
    func check(_ code: CURLcode) throws(TransferError) {
        guard code != CURLE_OK else { return }
        throw .invalidRequest(reason: String(cString: curl_easy_strerror(code)))
    }
}

/// What libcurl reports about a finished transfer. ``wireBytes`` is also available while the transfer is running.
extension EasyHandle {
    var status: Int { long(CURLINFO_RESPONSE_CODE) }

    /// The status of the proxy's response to CONNECT; 0 if there was no response.
    var proxyStatus: Int { long(CURLINFO_HTTP_CONNECTCODE) }

    /// Number of connections that this transfer opened.
    var openedConnections: Int { long(CURLINFO_NUM_CONNECTS) }

    /// Body bytes received so far, before decoding.
    var wireBytes: Int {
        var value: curl_off_t = 0
        curlshim_get_offset(pointer, CURLINFO_SIZE_DOWNLOAD_T, &value)
        return Int(value)
    }

    /// The target of a redirect as an absolute URL; nil if the response has none.
    var redirectTarget: String? {
        var text: UnsafeMutablePointer<CChar>?
        curlshim_get_string(pointer, CURLINFO_REDIRECT_URL, &text)
        return text.map { String(cString: $0) }
    }

    /// The first value of a header in the final response; nil if the response does not have the header.
    func header(_ name: String) -> String? {
        var header: UnsafeMutablePointer<curl_header>?
        guard curl_easy_header(pointer, name, 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK, let header else {
            return nil
        }
        return String(cString: header.pointee.value)
    }

    private func long(_ info: CURLINFO) -> Int {
        var value = 0
        curlshim_get_long(pointer, info, &value)
        return value
    }
}

extension Duration {
    /// The milliseconds of this duration, rounded up so a wait does not end early; at least 0 and at most the 32-bit maximum, which is libcurl's.
    /// `JSONRPC` has a similar function, which these modules cannot share, because they have no module in common.
    var wholeMilliseconds: Int32 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max / 1_000) else { return .max }
        return Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
