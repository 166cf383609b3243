package import BookIdentifiers

/// A question to one provider: its kind (`QuestionKind`, declared in the provider's folder) and its subject.
///
/// Equal questions have equal answers, so a question identifies both the call shared by several callers and the cache entry of the answer.
package struct Question: Sendable {
    package enum Subject: Sendable {
        case isbn(ISBN)
        /// A provider's own key, for example `OL45804W`.
        case key(String)
        case title(TitleTerms)
        case search(SearchTerms)
        case author(AuthorQuery)
    }

    package let kind: QuestionKind
    package let subject: Subject
    /// Cache key of the answer; includes everything in the question that affects the answer.
    package let cacheKey: String

    init(_ kind: QuestionKind, _ subject: Subject) {
        self.kind = kind
        self.subject = subject
        cacheKey = "\(kind.cachePrefix)/\(subject.cacheKey)"
    }

    package var provider: ProviderName { kind.provider }

    /// The ISBN, if the subject is an ISBN.
    package var isbn: ISBN? {
        if case .isbn(let isbn) = subject { isbn } else { nil }
    }

    /// The provider's own key, if the subject is a key.
    var key: String? {
        if case .key(let key) = subject { key } else { nil }
    }

    var titleTerms: TitleTerms? {
        if case .title(let terms) = subject { terms } else { nil }
    }

    var searchTerms: SearchTerms? {
        if case .search(let terms) = subject { terms } else { nil }
    }

    /// The author, if the subject is an author.
    package var author: AuthorQuery? {
        if case .author(let query) = subject { query } else { nil }
    }

    /// Whether there is anything to search for. A search for punctuation alone contains no words, and providers refuse it.
    package var isSearchable: Bool {
        switch subject {
        case .isbn, .key, .author: true
        case .title(let terms): !QueryWords.words(terms.title).isEmpty
        case .search(let terms): terms.hasWords
        }
    }
}

extension Question: Hashable {
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.cacheKey == rhs.cacheKey }

    package func hash(into hasher: inout Hasher) { hasher.combine(cacheKey) }
}

extension Question.Subject {
    fileprivate var cacheKey: String {
        switch self {
        case .isbn(let isbn): isbn.isbn13
        case .key(let key): key
        case .title(let terms): terms.cacheKey
        case .search(let terms): terms.cacheKey
        case .author(let query): "\(query.openLibraryKey ?? "")\u{1F}\(query.name.lowercased())"
        }
    }
}

/// The providers. Book providers have the same raw value in the contract's `DataProvider`.
package enum ProviderName: String, CaseIterable, Sendable {
    case openLibrary = "openlibrary"
    case googleBooks = "google-books"
    case isbndb
    case wikidata
}

/// Title and author of a search. Terms are equal if they differ only in spacing, or in case that does not change the request.
package struct TitleTerms: Sendable {
    package let title: String
    /// The author; absent if the client provides none, or a placeholder such as "Unknown".
    package let author: String?

    /// `nil` if there is no title, or only white space.
    package init?(title: String?, author: String?) {
        guard let title = title.map(Self.tidy), !title.isEmpty else { return nil }
        self.title = title
        self.author = author.flatMap(PersonName.clean)
    }

    /// The title alone, for another attempt if no provider has the title by this author. Nil if there is no author.
    package var withoutAuthor: TitleTerms? { author == nil ? nil : TitleTerms(title: title, author: nil) }

    /// The words of the title and the subtitle, for another attempt: providers are first asked without the subtitle, but a series may have more
    /// books with the same title than a provider returns (``ProviderRecords/isPart``). Nil if no subtitle distinguishes the book.
    package var withSubtitle: TitleTerms? {
        TitleTerms(title: QueryWords.withSubtitle(title), author: author)
    }

    /// The title without the number of a volume, for another attempt: catalogs write "Volume Two" or "2" instead of "Vol. 2". Nil if the title does
    /// not end with a word for a volume and its number.
    package var withoutVolume: TitleTerms? {
        let words = QueryWords.title(title)
        // Abbreviations such as "Vol." are read as volume words only beside a number.
        let ending = TitleWords.folded(words.suffix(2).joined(separator: " "))
        guard words.count > 2, ending.count == 2, Numeral.isVolumeWord(ending[0]),
            NumberComparison.withoutVolume(ending).count == 1
        else { return nil }
        return TitleTerms(title: words.dropLast(2).joined(separator: " "), author: author)
    }

    fileprivate var cacheKey: String {
        "\(title.lowercased())\u{1F}\(author.map(QueryWords.comparable) ?? "")"
    }

    private static func tidy(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension TitleTerms: Hashable {
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.cacheKey == rhs.cacheKey }

    package func hash(into hasher: inout Hasher) { hasher.combine(cacheKey) }
}

/// The terms of a provider search. Differences in case that do not change the request do not change the cache key either.
package struct SearchTerms: Sendable {
    package enum Text: Sendable {
        /// Words of title, subtitle or author, as typed.
        case words(String)
        /// Title, author or both, each in its own field.
        case fields(title: String?, author: String?)
        /// The works of all authors with this name.
        case worksOf(author: String, offset: Int, order: AuthorWorksOrder?)
    }

    package let text: Text
    /// Maximum number of results.
    package let limit: Int

    package init(_ text: Text, limit: Int) {
        self.text = text
        self.limit = limit
    }

    /// The same search by fields, for the words of the title and its subtitle (``TitleTerms/withSubtitle``). Nil for other searches, for a search
    /// without a title, and if no subtitle distinguishes the book.
    package var withSubtitle: SearchTerms? {
        guard case .fields(let title?, let author) = text, let whole = QueryWords.withSubtitle(title) else {
            return nil
        }
        return SearchTerms(.fields(title: whole, author: author), limit: limit)
    }

    fileprivate var hasWords: Bool {
        let (title, author): (String?, String?) =
            switch text {
            case .words(let words): (words, nil)
            case .fields(let title, let author): (title, author)
            case .worksOf(let author, _, _): (nil, author)
            }
        let names = [title, author.flatMap { AuthorCell($0).first }]
        return names.contains { name in name.map { !QueryWords.words($0).isEmpty } ?? false }
    }

    fileprivate var cacheKey: String {
        let parts: [String] =
            switch text {
            case .words(let words): ["words", words.lowercased()]
            case .fields(let title, let author):
                ["fields", title?.lowercased() ?? "", author.map(QueryWords.comparable) ?? ""]
            case .worksOf(let author, let offset, let order):
                ["author", author.lowercased(), "\(offset)", order?.rawValue ?? ""]
            }
        return (["\(limit)"] + parts).joined(separator: "\u{1F}")
    }
}
