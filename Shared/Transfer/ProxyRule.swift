/// Determines which requests use a proxy: `https` requests, unless their host is exempt (https://everything.curl.dev/usingcurl/proxies/env.html).
///
/// This is decided here rather than by libcurl, because the address rule depends on it: a proxy resolves names itself, and the socket connects to the
/// proxy.
package struct ProxyRule: Hashable, Sendable {
    /// Every request goes directly to its host.
    package static let direct = ProxyRule(proxy: nil, except: nil)

    private enum Exception: Hashable, Sendable {
        case everything
        /// A host and all its subdomains.
        case domain(String, port: UInt16?)
        case network(TargetAddress, prefix: Int)
    }

    /// The proxy's address, such as `http://proxy.example:3128`; nil if there is none.
    private let proxy: String?
    private let exceptions: [Exception]

    /// - Parameter exceptions: Hosts and domains (optionally with a leading dot and a port), addresses and CIDR blocks, separated by commas or
    ///   spaces; `*` means all hosts. Other entries are ignored.
    package init(proxy: String?, except exceptions: String?) {
        self.proxy = proxy
        let entries = (exceptions ?? "").split { $0 == "," || $0.isWhitespace }
        self.exceptions = entries.compactMap(Self.exception)
    }

    /// The proxy for a request; nil if the request goes directly to its host.
    package func proxy(for target: Origin) -> String? {
        guard target.scheme == "https", !exceptions.contains(where: { covers($0, target) }) else { return nil }
        return proxy
    }

    private func covers(_ exception: Exception, _ target: Origin) -> Bool {
        switch exception {
        case .everything: true
        case .domain(let name, let port):
            (target.bareHost == name || target.bareHost.hasSuffix(".\(name)")) && (port == nil || port == target.port)
        case .network(let network, let prefix):
            TargetAddress(target.bareHost)?.isWithin(network, prefix: prefix) ?? false
        }
    }

    private static func exception(_ entry: Substring) -> Exception? {
        if entry == "*" { return .everything }
        let parts = entry.split(separator: "/", omittingEmptySubsequences: false)
        let bare = String(parts[0].filter { $0 != "[" && $0 != "]" })
        if let address = TargetAddress(bare) {
            let whole = address.bits
            let prefix = parts.count == 2 ? Int(parts[1]) : whole
            return prefix.flatMap { (0...whole).contains($0) ? .network(address, prefix: $0) : nil }
        }
        let sides = parts[0].lowercased().split(separator: ":")
        guard parts.count == 1, let name = sides.first?.drop(while: { $0 == "." }).withoutFinalDot, !name.isEmpty
        else { return nil }
        return .domain(String(name), port: sides.count == 2 ? UInt16(sides[1]) : nil)
    }
}

extension Origin {
    /// The host without the brackets of an IPv6 literal, and without the dot that makes a name absolute (RFC 1034 §3.1).
    var bareHost: String { String(host.filter { $0 != "[" && $0 != "]" }[...].withoutFinalDot) }

    /// Whether the host may be on the public Internet, judged only by the URL, because the proxy resolves the name, and the result is not visible
    /// here. Addresses that are not public, names without a dot, names in ``privateDomains`` and names that proxies may read in different ways are
    /// refused. The last group consists of names that are not ASCII or have an empty label, and names whose last label begins with a digit, which may
    /// be addresses in an unusual notation.
    var namesPublicHost: Bool {
        let host = bareHost
        if let address = TargetAddress(host) { return address.isPublic }
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count > 1, host.utf8.allSatisfy({ $0 < 0x80 }), !labels.contains(where: \.isEmpty),
            let first = labels.last?.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        else { return false }
        return !Self.privateDomains.contains { host == $0 || host.hasSuffix(".\($0)") }
    }

    /// Domains without public names (RFC 6761, RFC 6762, RFC 8375), and domains used in home and company networks.
    private static let privateDomains = [
        "localhost", "local", "internal", "home.arpa", "test", "invalid", "onion", "lan", "home", "corp", "intranet",
        "private", "localdomain",
    ]
}

extension Substring {
    /// A host name without the dot at its end, if it has one.
    fileprivate var withoutFinalDot: Substring { hasSuffix(".") ? dropLast() : self }
}

extension TargetAddress {
    /// The length of the address in bits.
    var bits: Int {
        switch self {
        case .v4: 32
        case .v6: 128
        }
    }

    /// Whether the first `prefix` bits match those of a network of the same family.
    func isWithin(_ network: TargetAddress, prefix: Int) -> Bool {
        switch (self, network) {
        case (.v4(let own), .v4(let other)):
            prefix == 0 || own >> (32 - UInt32(prefix)) == other >> (32 - UInt32(prefix))
        case (.v6(let high, let low), .v6(let otherHigh, let otherLow)):
            Self.begins(high, as: otherHigh, bits: min(prefix, 64))
                && Self.begins(low, as: otherLow, bits: max(0, prefix - 64))
        default: false
        }
    }

    private static func begins(_ own: UInt64, as other: UInt64, bits: Int) -> Bool {
        bits == 0 || own >> (64 - UInt64(bits)) == other >> (64 - UInt64(bits))
    }
}
