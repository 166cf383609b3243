import Foundation

/// The query of a request target, form-encoded: `+` is a space (https://url.spec.whatwg.org/#urlencoded-parsing). If a name is
/// repeated, its first item is used.
struct QueryItems {
    private let query: Substring

    init(uri: String) {
        let start = uri.utf8.firstIndex(of: UInt8(ascii: "?")).map { uri.utf8.index(after: $0) } ?? uri.endIndex
        let end = uri.utf8[start...].firstIndex(of: UInt8(ascii: "#")) ?? uri.endIndex
        query = uri[start..<end]
    }

    subscript(name: String) -> String? {
        var rest = query
        while !rest.isEmpty {
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
            let item = rest[..<end]
            let equals = item.utf8.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            if Self.decode(item[..<equals]) == name {
                return equals == item.endIndex ? "" : Self.decode(item[item.utf8.index(after: equals)...])
            }
            rest = end == rest.endIndex ? "" : rest[rest.utf8.index(after: end)...]
        }
        return nil
    }

    private static func decode(_ text: Substring) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else {
            return String(text)
        }
        let spaced = String(text.replacing("+", with: " "))
        return spaced.removingPercentEncoding ?? spaced
    }
}
