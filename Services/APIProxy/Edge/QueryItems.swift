import Foundation

/// The query of a request target, form-encoded: `+` is a space (https://url.spec.whatwg.org/#urlencoded-parsing). For a repeated name, the
/// subscript returns the first item.
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
        var values: [String] = []
        var rest = query
        while !rest.isEmpty, values.count < limit {
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
            let item = rest[..<end]
            let equals = item.utf8.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            if Self.names(item[..<equals], name) {
                values.append(equals == item.endIndex ? "" : Self.decode(item[item.utf8.index(after: equals)...]))
            }
            rest = end == rest.endIndex ? "" : rest[rest.utf8.index(after: end)...]
        }
        return values
    }

    private static func names(_ text: Substring, _ name: String) -> Bool {
        text.utf8.elementsEqual(name.utf8) || (isEncoded(text) && decode(text) == name)
    }

    private static func isEncoded(_ text: Substring) -> Bool {
        text.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }
    }

    private static func decode(_ text: Substring) -> String {
        guard isEncoded(text) else { return String(text) }
        let spaced = String(text.replacing("+", with: " "))
        return spaced.removingPercentEncoding ?? spaced
    }
}
