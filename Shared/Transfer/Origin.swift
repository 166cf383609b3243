internal import CCurlShim

/// Scheme, host and port of a URL (RFC 6454). libcurl's own parser reads them, so the checked host is the one that libcurl connects to.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// The scheme: `http` or `https`.
    package let scheme: String
    /// The host in lower case; IPv6 literals keep their brackets.
    package let host: String
    /// The port; the scheme's default if the URL specifies none.
    package let port: UInt16

    package var description: String { "\(scheme)://\(host):\(port)" }

    /// - Returns: nil unless the URL is valid and absolute, has the scheme `http` or `https`, and contains no user or password.
    package init?(url: String) {
        guard let parsed = curl_url() else { return nil }
        defer { curl_url_cleanup(parsed) }
        guard curl_url_set(parsed, CURLUPART_URL, url, 0) == CURLUE_OK,
            Self.part(CURLUPART_USER, of: parsed) == nil, Self.part(CURLUPART_PASSWORD, of: parsed) == nil,
            let scheme = Self.part(CURLUPART_SCHEME, of: parsed)?.lowercased(), ["http", "https"].contains(scheme),
            let host = Self.part(CURLUPART_HOST, of: parsed)?.lowercased(), !host.isEmpty,
            let port = Self.part(CURLUPART_PORT, of: parsed, flags: UInt32(CURLU_DEFAULT_PORT)).flatMap(UInt16.init)
        else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer, flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}

/// A provider's configured base URL: an `http` or `https` origin and a path prefix, without a query or fragment.
package struct BaseURL: Hashable, Sendable, CustomStringConvertible {
    /// The origin of the provider's own requests.
    package let origin: Origin
    private let prefix: String

    package var description: String { prefix }

    /// - Returns: nil unless the text is an encoded (visible ASCII only) `http` or `https` URL without user, password, query or fragment. Trailing
    ///   slashes are dropped.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !"?#".utf8.contains($0) }),
            let origin = Origin(url: text)
        else { return nil }
        self.origin = origin
        prefix = String(text.reversed().drop { $0 == "/" }.reversed())
    }

    /// Returns the URL of a path and query below this base.
    /// - Returns: nil if `path` does not begin with `/`, is not encoded (visible ASCII only) or has a fragment.
    package func url(path: String) -> String? {
        guard path.utf8.first == UInt8(ascii: "/"),
            path.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") })
        else { return nil }
        return prefix + path
    }
}
