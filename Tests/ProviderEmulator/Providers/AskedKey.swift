import BookIdentifiers

/// What a request asks a provider about. Faults can be told to happen to one of them only.
enum AskedKey: Hashable, Sendable {
    case isbn(ISBN)
    /// A name that was searched for, folded by `String.folded`.
    case author(String)
    /// A Wikidata item, for example `Q42`.
    case entity(String)
    /// The number of a cover, or the id of a volume whose cover it is.
    case cover(String)

    var isbn: ISBN? {
        if case .isbn(let isbn) = self { isbn } else { nil }
    }

    /// How the key stands in the log.
    var text: String {
        switch self {
        case .isbn(let isbn): isbn.isbn13
        case .author(let text), .entity(let text), .cover(let text): text
        }
    }
}
