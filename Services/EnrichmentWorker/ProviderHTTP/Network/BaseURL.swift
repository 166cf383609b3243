/// A provider's configured base URL: an `http` or `https` origin and a path prefix, without query and fragment.
package struct BaseURL: Hashable, Sendable, CustomStringConvertible {
    /// Where the provider's own requests go.
    package let origin: Origin
    private let prefix: String

    package var description: String { prefix }

    /// - Returns: nil for any other text. A `/` at the end is dropped.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !"?#".utf8.contains($0) }),
            let origin = Origin(url: text)
        else { return nil }
        self.origin = origin
        prefix = String(text.reversed().drop { $0 == "/" }.reversed())
    }

    /// The URL of a path and query below this base.
    /// - Returns: nil when `path` does not begin with `/`, is not encoded (visible ASCII) or has a fragment.
    package func url(path: String) -> String? {
        guard path.utf8.first == UInt8(ascii: "/"),
            path.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") })
        else { return nil }
        return prefix + path
    }
}
