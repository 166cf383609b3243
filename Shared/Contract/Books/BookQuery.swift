/// One row a client asks about: any of title, author, ISBN (http-api.md "Starting a job", `books[]`).
public struct BookQuery: Codable, Sendable, Equatable {
    /// What a start takes of a title (http-api.md "Validation").
    public static let titleLimit = TextLimit(characters: 500)
    /// What a start takes of an author.
    public static let authorLimit = TextLimit(characters: 300)
    /// What a start takes of an ISBN.
    public static let isbnLimit = TextLimit(characters: 32)

    /// Title as the client has it; at most 500 characters.
    public var title: String?
    /// Author as the client has it; at most 300 characters.
    public var author: String?
    /// ISBN exactly as given, damage included; at most 32 characters.
    public var isbn: String?
    /// The client's own identifier of a work, when the row came from `workIds[]` (jobs.md "Work").
    public var workId: String?

    /// Makes a row.
    public init(title: String? = nil, author: String? = nil, isbn: String? = nil, workId: String? = nil) {
        self.title = title
        self.author = author
        self.isbn = isbn
        self.workId = workId
    }

    /// What a person would call this row: its title, else its ISBN, else the work identifier.
    public var displayTitle: String { title ?? isbn ?? workId ?? "" }
}
