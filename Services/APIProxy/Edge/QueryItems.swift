import Foundation

/// The query of a request target, as forms encode it: `+` is a space (https://url.spec.whatwg.org/#urlencoded-parsing). The first of
/// several items with one name counts.
struct QueryItems {
    private let items: [(name: String, value: String)]

    init(uri: String) {
        let query = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first ?? ""
        items = query.split(separator: "#", omittingEmptySubsequences: false)[0].split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decode(parts[0]), parts.count > 1 ? Self.decode(parts[1]) : "")
        }
    }

    subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    private static func decode(_ text: Substring) -> String {
        let spaced = text.utf8.contains(UInt8(ascii: "+")) ? text.replacing("+", with: " ") : text
        return spaced.utf8.contains(UInt8(ascii: "%"))
            ? spaced.removingPercentEncoding ?? String(spaced) : String(spaced)
    }
}
