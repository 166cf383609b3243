import Foundation

/// Where the public API answers: `http://HOST[:PORT][/PATH]`.
///
/// TLS ends at a reverse proxy (containers.md); this client is for the machine itself and speaks `http` and `ws` only.
package struct ServerAddress: Sendable, Equatable, CustomStringConvertible {
    package let host: String
    package let port: Int
    /// Path in front of every route, without a trailing slash; empty as a rule.
    package let basePath: String

    package init(host: String, port: Int, basePath: String = "") {
        self.host = host
        self.port = port
        self.basePath = basePath
    }

    /// Reads an address; throws `unsupportedAddress` for anything else than the shape above.
    package init(_ text: String) throws(ClientFailure) {
        guard let parts = URLComponents(string: text), parts.scheme == "http", let host = parts.host, !host.isEmpty,
            parts.query == nil, parts.fragment == nil, parts.user == nil
        else { throw .unsupportedAddress(text) }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? 80
        basePath = parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path
    }

    /// The address again, for messages.
    package var description: String { "http://\(hostHeader)\(basePath)" }

    /// Value of the `Host` header (RFC 9112 §3.2).
    var hostHeader: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 80 ? name : "\(name):\(port)"
    }
}
