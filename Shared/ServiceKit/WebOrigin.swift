/// A web origin: scheme, host and port (RFC 6454 §4).
package struct WebOrigin: Hashable, Sendable {
    /// The scheme in lower case.
    package let scheme: String
    package let host: HostName
    /// The specified port, else the default port of `http` or `https`; nil for a scheme without a default port.
    package let port: Int?

    /// Parses `scheme://host[:port]` (RFC 6454 §6.2); nil for anything else, including a URL with a path or user information.
    package init?(_ text: some StringProtocol) {
        guard let separator = text.firstRange(of: "://") else { return nil }
        self.init(scheme: String(text[..<separator.lowerBound]), authority: String(text[separator.upperBound...]))
    }

    /// The origin of a resource at `authority`, the value of a `Host` field; nil if the scheme or the authority is malformed.
    package init?(scheme: String, authority: String) {
        let scheme = scheme.lowercased()
        guard scheme.first?.isLetter == true, scheme.utf8.allSatisfy(Self.isSchemeByte),
            let (host, port) = HostName.split(authority)
        else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port ?? (scheme == "http" ? 80 : scheme == "https" ? 443 : nil)
    }

    /// Whether a byte may occur in a scheme (RFC 3986 §3.1).
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "+-.".utf8.contains(byte)
        }
    }
}

/// A host in URLs and `Host` fields: a name or an address (RFC 3986 §3.2.2).
package struct HostName: Hashable, Sendable {
    /// A name in lower case without a trailing dot, or an address in the notation of inet_ntop(3).
    package let text: String
    /// The address; nil for a name.
    package let address: IPAddress?

    /// Parses a name, an IPv4 address, or an IPv6 address with or without brackets; nil for anything else.
    package init?(_ text: some StringProtocol) {
        if let address = IPAddress(
            text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : String(text))
        {
            self.address = address
            self.text = address.description
            return
        }
        let name = text.lowercased()
        let trimmed = name.hasSuffix(".") ? String(name.dropLast()) : name
        guard !trimmed.isEmpty, trimmed.utf8.allSatisfy(Self.isNameByte) else { return nil }
        self.address = nil
        self.text = trimmed
    }

    /// The host and the port of `host[:port]`; nil for anything else.
    package static func split(_ authority: String) -> (host: HostName, port: Int?)? {
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else {
            return HostName(authority).map { ($0, nil) }
        }
        let (name, digits) = (authority[..<colon], authority[authority.index(after: colon)...])
        // Without brackets, the last group of an IPv6 address would be taken for a port.
        guard name.hasPrefix("[") || !name.contains(":"), let host = HostName(name),
            let port = UInt16(digits), digits.utf8.first != UInt8(ascii: "+")
        else { return nil }
        return (host, Int(port))
    }

    /// Whether the host is reachable only from this machine: `localhost` (RFC 6761 §6.3) and the loopback addresses.
    package var isLoopback: Bool {
        guard let bytes = address?.bytes else { return text == "localhost" }
        return bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// Whether the host is 0.0.0.0 or ::, which stand for all addresses of the machine.
    package var isWildcard: Bool { address?.bytes.allSatisfy { $0 == 0 } ?? false }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._".utf8.contains(byte)
        }
    }
}
