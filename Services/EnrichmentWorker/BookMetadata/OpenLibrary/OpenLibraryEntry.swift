/// Something named or referred to: a bare string in edition records, an object in `jscmd=data` answers, and an object
/// around another one in the author lists of works.
struct OpenLibraryEntry: Decodable {
    /// The name; absent where only a key is given.
    let name: String?
    /// The last part of the key or address, for example `OL26320A`.
    let key: String?

    private enum CodingKeys: CodingKey {
        case name, key, url, author
    }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            name = text
            key = text.hasPrefix("/") ? Self.identifier(in: text) : nil
            return
        }
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let author = fields.lenient(.author, as: OpenLibraryReference.self)
        name = fields.lenient(.name)
        let path = fields.lenient(.key, as: String.self) ?? author?.key ?? fields.lenient(.url, as: String.self)
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

/// A key, bare or in an object.
private struct OpenLibraryReference: Decodable {
    let key: String?

    private enum CodingKeys: CodingKey {
        case key
    }

    init(from decoder: any Decoder) throws {
        if let path = try? decoder.singleValueContainer().decode(String.self) {
            key = path
        } else {
            key = try decoder.container(keyedBy: CodingKeys.self).lenient(.key)
        }
    }
}
