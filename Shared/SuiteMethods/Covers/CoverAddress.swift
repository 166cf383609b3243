package import BookstrackContract

/// The address of a cover at one of the hosts that answers of the API point at. Nothing else becomes one, so that nobody makes
/// the suite call other hosts.
///
/// The rules are stricter than RFC 3986: what two parsers could read in two ways is refused.
package struct CoverAddress: Hashable, Sendable {
    /// Why a text is no address of a cover.
    package enum Refusal: Error, Equatable, Sendable {
        /// `reason` goes on "url …".
        case malformed(reason: String)
        /// The host is none of ``CoverHost``.
        case foreignHost

        /// `INVALID_QUERY`, or `FORBIDDEN` for other hosts.
        package var code: APIErrorCode {
            switch self {
            case .malformed: .invalidQuery
            case .foreignHost: .forbidden
            }
        }

        /// A sentence for people.
        package var message: String {
            switch self {
            case .malformed(let reason): "url \(reason)."
            case .foreignHost: "Pictures of this host are not served."
            }
        }
    }

    /// Longest text, in bytes.
    package static let longest = 2_000

    private static let scheme = "https://"
    /// What paths and queries consist of (RFC 3986 §3.3, §3.4).
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
            throw .malformed(reason: "must have a host, and neither user nor port")
        }
        guard let host = CoverHost(rawValue: authority.lowercased()) else { throw .foreignHost }
        let path = rest[authority.endIndex...]
        guard path.hasPrefix("/"), path.utf8.allSatisfy(Self.isAdmitted), !Self.climbs(path) else {
            throw .malformed(reason: "must have a percent-encoded path without dot segments, and no fragment")
        }
        self.host = host
        self.path = String(path)
    }

    /// The path and query of the picture in a size, at ``host``.
    package func path(_ size: CoverSize) -> String { host.path(path, size) }

    /// What the picture in a size is kept as.
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

    /// Whether a segment is `.` or `..`, encoded or not: below a mirror's base URL it would lead out of it.
    private static func climbs(_ path: Substring) -> Bool {
        path.prefix { $0 != "?" }.split(separator: "/").contains { segment in
            [".", ".."].contains(segment.lowercased().replacing("%2e", with: "."))
        }
    }
}
