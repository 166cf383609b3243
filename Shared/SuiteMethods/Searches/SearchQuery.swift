/// What is searched for, as api-proxy has validated it. Equal queries have equal answers.
package struct SearchQuery: Codable, Sendable, Hashable {
    /// Which fields count.
    package enum Kind: String, Codable, Sendable {
        /// `isbn`.
        case isbn
        /// `title`, which may hold words of the author too.
        case title
        /// `title`, `author` or both.
        case advanced
        /// `title` of the work, and its `author` if one is given.
        case editions
        /// `author`, with `offset` and `order`.
        case author
    }

    /// How the works of an author are sorted; by relevance unless given.
    package enum Order: String, Codable, Sendable {
        case newest
        case oldest
        case title
        case popularity
    }

    package var kind: Kind
    /// ISBN-13 without hyphens.
    package var isbn: String?
    package var title: String?
    package var author: String?
    /// Most results.
    package var limit: Int
    /// Results that are passed over.
    package var offset: Int
    package var order: Order?
    /// True when the answer says why each work stands where it does; nil otherwise. Such answers are kept apart from others.
    package var isExplained: Bool?

    package init(
        _ kind: Kind, isbn: String? = nil, title: String? = nil, author: String? = nil, limit: Int, offset: Int = 0,
        order: Order? = nil
    ) {
        self.kind = kind
        self.isbn = isbn
        self.title = title
        self.author = author
        self.limit = limit
        self.offset = offset
        self.order = order
    }
}
