/// The redirects of one attempt of a call: decides whether to follow each target, and how far to trust it (metadata.md "Providers").
///
/// Redirects are followed here rather than by libcurl, so every hop is checked by the same rule, hops to the provider's own origin count against its
/// budget, and credentials are sent nowhere else.
package struct RedirectChain: Hashable, Sendable {
    /// A request that may be made.
    package struct Hop: Hashable, Sendable {
        /// The absolute URL.
        package let url: String
        /// The rule for the URL's scheme and address.
        package let trust: HopTrust

        package init(url: String, trust: HopTrust) {
            self.url = url
            self.trust = trust
        }

        /// Whether the request may contain the key, which is sent only to the configured origin.
        package var carriesCredential: Bool { trust == .configured }
    }

    private let base: Origin
    private let limit: Int
    private let secret: String?
    private let hosts: RedirectHosts
    private var followed = 0

    /// - Parameters:
    ///   - base: The configured base URL's origin.
    ///   - secret: The call's key, plain or as it appears in URLs; a target with a different origin is refused if it contains the key, however the
    ///     target is percent-encoded.
    ///   - hosts: Where else redirects may lead; to any public host by default.
    ///   - limit: The maximum number of redirects of one attempt.
    package init(base: Origin, secret: String?, hosts: RedirectHosts = .any, limit: Int = 3) {
        self.base = base
        self.secret = secret
        self.hosts = hosts
        self.limit = limit
    }

    /// Judges the next target.
    /// - Parameter target: The absolute URL, resolved against the responding URL.
    package mutating func follow(_ target: String) -> Result<Hop, RedirectRefusal> {
        guard followed < limit else { return .failure(.tooMany) }
        guard let origin = Origin(url: target) else { return .failure(.malformed) }
        followed += 1
        guard origin != base else { return .success(Hop(url: target, trust: .configured)) }
        guard origin.scheme == "https" else { return .failure(.insecure) }
        guard hosts.admits(origin.host) else { return .failure(.foreignHost) }
        if let secret, SecretCheck.mayHide(secret, in: target) { return .failure(.leaksCredential) }
        return .success(Hop(url: target, trust: .foreign))
    }
}

/// Where redirects may lead apart from the configured base URL's own origin.
package enum RedirectHosts: Hashable, Sendable {
    /// Any public host.
    case any
    /// Hosts with these names, and hosts below these domains; all in lower case.
    case only(names: Set<String>, domains: Set<String>)

    /// - Parameter host: A host as read by ``Origin``, in lower case.
    func admits(_ host: String) -> Bool {
        switch self {
        case .any: true
        case .only(let names, let domains): names.contains(host) || domains.contains { host.hasSuffix(".\($0)") }
        }
    }
}

/// Why a redirect was not followed.
package enum RedirectRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// More redirects than allowed (by default 3, metadata.md "Providers").
    case tooMany = "too_many"
    /// The target is not a valid `http` or `https` URL, or contains a user or password.
    case malformed
    /// The target's scheme is `http`, and its origin is not that of the configured base URL.
    case insecure
    /// The target is not on one of the allowed hosts.
    case foreignHost = "foreign_host"
    /// The target's host is not public.
    case privateAddress = "private_address"
    /// The target has a different origin, and its URL contains the call's key or is encoded too often to be searched for it.
    case leaksCredential = "leaks_credential"
}

/// Finds secrets in URLs through layers of percent-encoding (RFC 3986 §2.1), decoded leniently: an invalid escape is left unchanged.
enum SecretCheck {
    /// Maximum number of layers that are searched; even a URL within a URL within a URL has fewer.
    private static let layers = 4

    /// Whether a string contains a secret, however the string is encoded; the secret itself may have one layer of encoding. A string with more layers
    /// than any URL needs counts as containing the secret.
    static func mayHide(_ secret: String, in text: String) -> Bool {
        let plain = decode(Array(secret.utf8))
        var bytes = Array(text.utf8)
        for _ in 0..<layers {
            if bytes.firstRange(of: plain) != nil { return true }
            let decoded = decode(bytes)
            if decoded.count == bytes.count { return false }
            bytes = decoded
        }
        return true
    }

    /// Decodes one layer.
    private static func decode(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let high = digit(rest[rest.startIndex]),
                let low = digit(rest[rest.startIndex + 1])
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
