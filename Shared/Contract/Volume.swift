/// A book in the format of the deprecated searches.
public struct Volume: Codable, Sendable, Equatable {
    /// Always "books#volume".
    public var kind: String
    /// Google's volume identifier, otherwise an Open Library edition or work key, otherwise an ISBN, otherwise the title.
    public var id: String
    /// The book's details.
    public var volumeInfo: VolumeInfo

    /// Creates a volume.
    public init(id: String, volumeInfo: VolumeInfo) {
        kind = "books#volume"
        self.id = id
        self.volumeInfo = volumeInfo
    }
}

/// Details of a ``Volume``; unknown values are absent.
public struct VolumeInfo: Codable, Sendable, Equatable {
    /// An identifier of an edition.
    public struct Identifier: Codable, Sendable, Equatable {
        /// The type of the identifier: "ISBN_13" or "ISBN_10".
        public var type: String
        /// The ISBN without hyphens.
        public var identifier: String

        /// Creates an identifier.
        public init(type: String, identifier: String) {
            self.type = type
            self.identifier = identifier
        }
    }

    /// URLs of a cover, under the names that Google uses.
    public struct ImageLinks: Codable, Sendable, Equatable {
        /// The `https` URL of the cover.
        public var thumbnail: String
        /// The same as `thumbnail`.
        public var smallThumbnail: String

        /// Creates links to one cover.
        public init(thumbnail: String) {
            self.thumbnail = thumbnail
            smallThumbnail = thumbnail
        }
    }

    /// The work's title.
    public var title: String
    /// Names of the authors, in the work's order.
    public var authors: [String]?
    /// The edition's publisher.
    public var publisher: String?
    /// Publication date of the edition, otherwise of the work (in searches by author, the other way round), as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    public var publishedDate: String?
    /// Plain-text description of the work, otherwise of the edition.
    public var description: String?
    /// ISBNs of the edition, ISBN-13 before ISBN-10.
    public var industryIdentifiers: [Identifier]?
    /// Number of pages.
    public var pageCount: Int?
    /// Canonical genres first, then other subjects.
    public var categories: [String]?
    /// URLs of the cover; absent if none is known.
    public var imageLinks: ImageLinks?
    /// Language of the edition, otherwise of the work, as an ISO 639-1 code.
    public var language: String?

    /// Creates a book from its title.
    public init(title: String) { self.title = title }
}

/// The response of the deprecated searches, in the format of Google Books (http-api.md "Routes" and "Deprecated searches"); not enveloped.
public struct VolumeList: Codable, Sendable, Equatable {
    /// The results, best first or, in searches by author, in the requested order.
    public var items: [Volume]
    /// Estimated total number of results: the books found, plus results that a provider reports but did not return.
    public var totalItems: Int

    /// Creates a response.
    public init(items: [Volume], totalItems: Int) {
        self.items = items
        self.totalItems = totalItems
    }
}
