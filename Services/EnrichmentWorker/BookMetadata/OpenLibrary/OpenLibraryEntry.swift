/// Something named or referred to: a bare string in edition records, an object in `jscmd=data` answers, and an object
/// around another one in the author lists of works.
struct OpenLibraryEntry {
    /// The name; absent where only a key is given.
    let name: String?
    /// The last part of the key or address, for example `OL26320A`.
    let key: String?

    init(_ node: JSONNode) {
        if let text = node.string {
            key = text.hasPrefix("/") ? Self.identifier(in: text) : nil
            name = text.hasPrefix("/") ? nil : text
            return
        }
        let author = node["author"]
        let path = node["key"]?.string ?? author?["key"]?.string ?? author?.string ?? node["url"]?.string
        name = node["name"]?.string
        key = path.flatMap(Self.identifier)
    }

    /// `OL26320A` in `/authors/OL26320A` and in `https://openlibrary.org/authors/OL26320A/Frank_Herbert`.
    static func identifier(in path: String) -> String? {
        path.split(separator: "/").first(where: isIdentifier).map(String.init)
    }

    private static func isIdentifier(_ part: Substring) -> Bool {
        guard part.hasPrefix("OL"), let kind = part.last, "AMW".contains(kind) else { return false }
        let number = part.dropFirst(2).dropLast()
        return !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
    }
}
