import Foundation

/// The address of the public API: `http://HOST[:PORT][/PATH]`, or the same with `https`.
struct ServerAddress: Sendable, Equatable, CustomStringConvertible {
    /// The address without a trailing slash.
    let url: URL

    /// Creates the address of a server without TLS.
    init(host: String, port: Int) throws {
        try self.init("http://\(host.contains(":") ? "[\(host)]" : host):\(port)")
    }

    /// Parses an address. Throws `CommandFailure` for any other form.
    init(_ text: String) throws {
        guard let parts = URLComponents(string: text), ["http", "https"].contains(parts.scheme),
            parts.host?.isEmpty == false, parts.query == nil, parts.fragment == nil, parts.user == nil,
            let url = URL(string: text.hasSuffix("/") ? String(text.dropLast()) : text)
        else { throw CommandFailure(.usage, "\"\(text)\" is not an address such as http://HOST:PORT") }
        self.url = url
    }

    /// The address as in messages, stored lists and saved tokens.
    var description: String { url.absoluteString }
}
