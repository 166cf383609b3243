/// The hosts that webhooks may call (jobs.md "Webhooks").
package struct WebhookHosts: Sendable, Equatable {
    /// No hosts: webhooks are off.
    package static let none = WebhookHosts(entries: [])

    /// A host in the list.
    private struct Entry: Equatable {
        var host: HostName
        /// The port; nil for any port.
        var port: Int?
    }

    private let entries: [Entry]

    private init(entries: [Entry]) { self.entries = entries }

    /// Reads entries of the form `host` or `host:port`; others are ignored.
    package init(_ texts: [String]) {
        entries = texts.compactMap { HostName.split($0).map { Entry(host: $0.host, port: $0.port) } }
    }

    /// Whether no webhook may be sent.
    package var isEmpty: Bool { entries.isEmpty }

    /// Whether a string can be an entry.
    static func isEntry(_ text: String) -> Bool { HostName.split(text) != nil }

    /// Checks a webhook address provided by a client.
    package func target(_ url: String) throws(WebhookRefusal) -> WebhookTarget {
        guard let (origin, port) = Self.origin(of: url) else { throw .malformed }
        let matching = entries.filter { $0.host == origin.host && ($0.port == nil || $0.port == port) }
        guard !matching.isEmpty else { throw .notListed }
        let isExact = matching.contains { $0.port != nil }
        guard origin.scheme == "https" || isExact else { throw .insecure }
        return WebhookTarget(
            host: origin.host, port: port, isSecure: origin.scheme == "https", mayBePrivate: isExact)
    }

    /// Reads an absolute `http` or `https` address without user information or a fragment (RFC 3986 §3); nil for anything else, and for more than
    /// ``maxLength`` bytes.
    private static func origin(of url: String) -> (WebOrigin, port: Int)? {
        guard url.utf8.count <= maxLength,
            url.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !#"#\@"#.utf8.contains($0) }),
            let start = url.firstRange(of: "://")?.upperBound
        else { return nil }
        let end = url[start...].firstIndex { $0 == "/" || $0 == "?" } ?? url.endIndex
        guard let origin = WebOrigin(url[..<end]), ["http", "https"].contains(origin.scheme), let port = origin.port
        else { return nil }
        return (origin, port)
    }

    /// Maximum length of an address, in bytes.
    package static let maxLength = 2_048
}

/// The destination of a webhook, and which addresses its host name may resolve to.
package struct WebhookTarget: Sendable, Equatable {
    /// The host of the URL.
    package let host: HostName
    package let port: Int
    /// Whether the scheme is `https`.
    package let isSecure: Bool
    /// Whether the host is listed with its port, and may therefore be on a private network. Always true without TLS, in which case it must be on one.
    package let mayBePrivate: Bool
}

/// Why an address cannot be called.
package enum WebhookRefusal: String, Error, Sendable, CaseIterable {
    case malformed
    /// The host is not listed.
    case notListed = "not_listed"
    /// The scheme is `http`, but the host is not listed with its port.
    case insecure

    /// The fault in the address, as the end of a sentence.
    package var reason: String {
        switch self {
        case .malformed: "must be an https address without a user name or fragment"
        case .notListed: "has a host that is not on this server's list of webhook hosts"
        case .insecure: "must be an https address"
        }
    }
}
