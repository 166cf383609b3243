package import BookstrackContract
import Crypto

/// Tells whether two starts ask for the same books (http-api.md "Starting a job").
///
/// One rule for every process that starts jobs: equal lists have equal digests whichever door they came through.
package enum JobDigest {
    /// SHA-256, in hex, of each row's members with their lengths in front, so that no two lists share a text.
    package static func of(_ items: [BookQuery]) -> String {
        var hash = SHA256()
        for item in items {
            for member in [item.title, item.author, item.isbn, item.workId] {
                let bytes = Array((member ?? "").utf8)
                let length = member == nil ? UInt32.max : UInt32(bytes.count)
                withUnsafeBytes(of: length.bigEndian) { hash.update(bufferPointer: $0) }
                hash.update(data: bytes)
            }
        }
        let digits = Array("0123456789abcdef".utf8)
        let hex = hash.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: hex, as: UTF8.self)
    }
}
