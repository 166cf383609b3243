import Crypto
import Foundation
import ServiceKit

/// A strong entity tag (RFC 9110 §8.8.3).
struct EntityTag: Equatable, CustomStringConvertible {
    /// Bytes that are read at a time.
    private static let part = 256 << 10

    /// With its quotation marks.
    let description: String

    /// Of the picture's very bytes: at one address another picture may follow an evicted one. Blocks on the disk.
    ///
    /// - Throws: `POSIXError`.
    init(of file: CoverFile) throws(POSIXError) {
        var hash = SHA256()
        var offset = 0
        while offset < file.bytes {
            let bytes = try file.read(at: offset, upTo: Self.part)
            guard !bytes.isEmpty else { throw POSIXError(.EIO) }
            hash.update(data: bytes)
            offset += bytes.count
        }
        let hex = hash.finalize().prefix(16).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0\(digits)" : digits
        }
        description = "\"\(hex.joined())\""
    }

    /// Whether `If-None-Match` names this tag, by weak comparison (RFC 9110 §13.1.2). Tags of this API hold no commas.
    func matches(_ field: String?) -> Bool {
        guard let field else { return false }
        return field.split(separator: ",").contains { item in
            let tag = item.trimmingCharacters(in: .whitespaces)
            return tag == "*" || tag == description || tag == "W/\(description)"
        }
    }
}
