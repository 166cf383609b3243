package import BookstrackContract

/// The URL of a cover on one of the hosts that API responses refer to. No other URL is accepted, so no client can choose another host.
///
/// The rules are stricter than RFC 3986: a URL that two parsers could interpret differently is refused.
package struct CoverAddress: Hashable, Sendable {
    /// Why a string is not the URL of a cover.
    package enum Refusal: Error, Equatable, Sendable {
        /// The URL is malformed; `reason` continues the sentence "url …".
        case malformed(reason: String)
        /// The host is not one of ``CoverHost``.
        case foreignHost

        /// The error code: `INVALID_QUERY`, or `FORBIDDEN` for other hosts.
        package var code: APIErrorCode {
            switch self {
            case .malformed: .invalidQuery
            case .foreignHost: .forbidden
            }
        }

        /// A human-readable sentence.
        package var message: String {
            switch self {
            case .malformed(let reason): "url \(reason)."
            case .foreignHost: "Images from this host are not served."
            }
        }
    }

    /// Maximum length of the text in bytes.
    package static let longest = 2_000

    private static let scheme = "https://"
    /// The characters of paths and queries besides letters and digits (RFC 3986 §3.3, §3.4).
    private static let admitted = Set("-._~!$&'()*+,;=:@/?%".utf8)

    package let host: CoverHost
    /// Path and query, as given.
    private let path: String

    package init(_ text: String) throws(Refusal) {
        guard text.utf8.count <= Self.longest else {
            throw .malformed(reason: "has more than \(Self.longest) bytes")
        }
        guard text.prefix(Self.scheme.count).lowercased() == Self.scheme else {
            throw .malformed(reason: "must be an https address")
        }
        let rest = text.dropFirst(Self.scheme.count)
        let authority = rest.prefix { !"/?#\\".contains($0) }
        guard !authority.isEmpty, !authority.contains(where: { "@:".contains($0) }) else {
            throw .malformed(reason: "must have a host, but no user or port")
        }
        guard let host = CoverHost(name: authority.lowercased()) else { throw .foreignHost }
        let path = rest[authority.endIndex...]
        guard path.hasPrefix("/"), path.utf8.allSatisfy(Self.isAdmitted), !Self.hasDotSegment(path) else {
            throw .malformed(reason: "must have a percent-encoded path without dot segments, and no fragment")
        }
        self.host = host
        self.path = String(path)
    }

    /// The path and query of the picture at ``host``, in a particular size.
    package func path(_ size: CoverSize) -> String { host.path(path, size) }

    /// The name of the file that stores the picture in a particular size.
    package func name(_ size: CoverSize) -> CoverName {
        CoverName(hashing: "\(Self.scheme)\(host.rawValue)\(path(size))")
    }

    private static func isAdmitted(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: admitted.contains(byte)
        }
    }

    /// Whether a segment is `.` or `..`, encoded or not, because such a segment could escape a mirror's base URL.
    private static func hasDotSegment(_ path: Substring) -> Bool {
        path.prefix { $0 != "?" }.split(separator: "/").contains { segment in
            [".", ".."].contains(segment.lowercased().replacing("%2e", with: "."))
        }
    }
}

extension CoverHost {
    /// The path and query of the picture at this host, in a particular size.
    func path(_ path: String, _ size: CoverSize) -> String {
        switch self {
        case .openLibrary: Self.openLibraryPath(path, size)
        case .googleBooks, .googleContent: Self.googlePath(path, size)
        case .isbndb: path
        }
    }

    /// A path such as `/b/id/240727-L.jpg` (https://openlibrary.org/dev/docs/api/covers). A query is dropped, because it does not change an existing
    /// picture.
    private static func openLibraryPath(_ path: String, _ size: CoverSize) -> String {
        let path = path.prefix { $0 != "?" }
        guard let dot = path.lastIndex(of: "."), path[dot...].allSatisfy({ $0 != "/" }) else { return String(path) }
        let stem = path[..<dot]
        let isSized = ["-S", "-M", "-L"].contains { stem.hasSuffix($0) }
        let letter =
            switch size {
            case .small: "S"
            case .medium: "M"
            case .large: "L"
            }
        return "\(isSized ? stem.dropLast(2) : stem)-\(letter)\(path[dot...])"
    }

    /// A path and query such as `/books/content?id=…&zoom=3`, without the curled corner of `edge=curl`.
    private static func googlePath(_ path: String, _ size: CoverSize) -> String {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let items = (parts.count > 1 ? parts[1].split(separator: "&") : []).filter {
            !["zoom", "edge"].contains($0.prefix { $0 != "=" })
        }
        let zoom =
            switch size {
            case .small: 5
            case .medium: 1
            case .large: 3
            }
        return "\(parts[0])?\((items + ["zoom=\(zoom)"]).joined(separator: "&"))"
    }
}
