/// One row of a batch: any of title, author, ISBN and work (http-api.md "Starting a job", `books[]`).
public struct BookQuery: Codable, Sendable, Hashable {
    /// Length limit for titles (http-api.md "Validation").
    public static let titleLimit = TextLimit(characters: 500)
    /// Length limit for authors.
    public static let authorLimit = TextLimit(characters: 300)
    /// Length limit for ISBNs.
    public static let isbnLimit = TextLimit(characters: 32)

    /// Title from the client; at most 500 characters.
    public var title: String?
    /// Author from the client; at most 300 characters.
    public var author: String?
    /// ISBN exactly as given, errors included; at most 32 characters.
    public var isbn: String?
    /// The work's Open Library key. Any other text is looked up, as an ISBN or as a title, only if the book has neither a usable ISBN nor a title
    /// (jobs.md "Work"). At most 500 characters.
    public var workId: String?

    /// Number of the corresponding row in the imported file, from 1, or the client's own number for the book. It has no effect on the lookup.
    public var row: Int?

    /// Creates a row.
    public init(
        title: String? = nil, author: String? = nil, isbn: String? = nil, workId: String? = nil, row: Int? = nil
    ) {
        self.title = title
        self.author = author
        self.isbn = isbn
        self.workId = workId
        self.row = row
    }

    /// The book as clients send it: without ``row``, which earlier servers refuse, with texts cut to the server's limits, and without U+0000. A
    /// single text that breaks these rules would make the server refuse the whole job (http-api.md "Validation").
    package var fitting: BookQuery {
        func fit(_ text: String?, _ limit: TextLimit) -> String? {
            text.map { limit.fit($0.utf8.contains(0) ? String($0.unicodeScalars.filter { $0 != "\0" }) : $0) }
        }
        return BookQuery(
            title: fit(title, Self.titleLimit), author: fit(author, Self.authorLimit),
            isbn: fit(isbn, Self.isbnLimit), workId: fit(workId, Self.titleLimit))
    }

    /// The row's name in messages: its title, otherwise its ISBN, otherwise its work identifier; empty if it has none of these.
    public var displayTitle: String { title ?? isbn ?? workId ?? "" }
}

/// Maximum length of a string from a client, in characters (http-api.md "Validation") and in bytes.
///
/// A character may have any number of combining marks, so a limit on characters alone does not limit the size. The text may therefore have at most
/// four bytes of UTF-8 per allowed character, the maximum length of a single code point (RFC 3629 §3).
public struct TextLimit: Sendable, Equatable {
    private static let bytesPerCharacter = 4

    /// Maximum number of user-perceived characters (extended grapheme clusters).
    public let characters: Int

    /// Creates a limit.
    public init(characters: Int) { self.characters = characters }

    /// Maximum number of UTF-8 bytes.
    public var bytes: Int { Self.bytesPerCharacter * characters }

    /// Whether a string is within the limit.
    public func admits(_ text: String) -> Bool { excess(of: text) == nil }

    /// How a string exceeds the limit, for a message: "is longer than 500 characters"; nil if it is within the limit.
    public func excess(of text: String) -> String? {
        let length = text.utf8.count
        // A character has at least one byte, so short strings need no counting.
        if length <= characters { return nil }
        if length > bytes { return "is longer than \(bytes) bytes" }
        return text.count <= characters ? nil : "is longer than \(characters) characters"
    }

    /// The longest prefix of a string within the limit, cut between characters.
    public func fit(_ text: String) -> String {
        if admits(text) { return text }
        var end = text.startIndex
        for _ in 0..<characters where end < text.endIndex {
            let next = text.index(after: end)
            if text.utf8.distance(from: text.startIndex, to: next) > bytes { break }
            end = next
        }
        return String(text[..<end])
    }
}
