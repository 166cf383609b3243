import Foundation
import JSON

/// The query of a request target, form-encoded: `+` is a space (https://url.spec.whatwg.org/#urlencoded-parsing). For a repeated name, the subscript
/// returns the first value.
struct QueryItems {
    private let query: Substring

    init(uri: String) {
        let start = uri.utf8.firstIndex(of: UInt8(ascii: "?")).map { uri.utf8.index(after: $0) } ?? uri.endIndex
        let end = uri.utf8[start...].firstIndex(of: UInt8(ascii: "#")) ?? uri.endIndex
        query = uri[start..<end]
    }

    subscript(name: String) -> String? { values(of: name, atMost: 1).first }

    /// The first `limit` values of a name, in order.
    func values(of name: String, atMost limit: Int) -> [String] {
        var (query, values) = (query, [String]())
        query.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            var start = 0
            while start < bytes.count, values.count < limit {
                let end = bytes.firstIndex(of: UInt8(ascii: "&"), from: start) ?? bytes.count
                let item = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                let equals = item.firstIndex(of: UInt8(ascii: "="), from: 0) ?? item.count
                if Self.names(item[..<equals], name) { values.append(Self.decode(item.dropFirst(equals + 1))) }
                start = end + 1
            }
        }
        return values
    }

    private static func names(_ text: Slice<UnsafeRawBufferPointer>, _ name: String) -> Bool {
        text.elementsEqual(name.utf8) || (isEncoded(text) && decode(text) == name)
    }

    private static func isEncoded(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        text.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }
    }

    private static func decode(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard isEncoded(bytes) else { return text }
        let spaced = text.replacing("+", with: " ")
        // Browsers send a `%` that was typed into their address bar unchanged.
        return spaced.removingPercentEncoding
            ?? spaced.replacing(/%(?![0-9A-Fa-f]{2})/, with: "%25").removingPercentEncoding ?? spaced
    }
}
