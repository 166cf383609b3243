import BookstrackContract

/// Where a plan finds what a book consists of: columns by role.
struct RowColumns: Sendable {
    typealias Column = ColumnPlan.Column

    let title, subtitle, author: Column?
    let authors: [Column]
    /// Roles of the names in the second column of authors.
    let contributorRoles: Column?
    /// Where the form of an edition is looked for, in order.
    let formats: [Column]
    /// Columns of ISBNs, the most reliable first.
    let isbns: [Column]
    let status, wishlist, rating, dateRead, dateReadFallback, dateStarted, dateAdded, readCount, owned: Column?
    let shelves, tags, notes: [Column]
    let review, publisher, publicationYear, originalYear, publicationDate, pageCount, language: Column?
    let series, position, mediaType, deleted, collection, identifiers: Column?
    let ids: [Column]
    /// Columns without a role; their cells are kept as they are.
    let others: [Column]
    /// How author columns are written.
    let authorNames: [Int: AuthorNames]

    init(_ plan: ColumnPlan) {
        func column(_ role: ColumnRole) -> Column? {
            plan.columns.first { $0.role == role && $0.rule != .fallback && $0.rule != .wishlist }
        }
        func ruled(_ rule: ColumnRule) -> Column? { plan.columns.first { $0.rule == rule } }
        title = column(.title)
        subtitle = column(.subtitle)
        author = column(.author)
        authors = plan.columns(.authors)
        contributorRoles = ruled(.roles)
        let numbers = [ColumnRole.isbn13, .isbn, .isbn10].flatMap { plan.columns($0) }
        isbns = numbers.filter { $0.rule != .fallback } + numbers.filter { $0.rule == .fallback }
        status = column(.status)
        wishlist = ruled(.wishlist)
        rating = column(.rating)
        dateRead = column(.dateRead)
        dateReadFallback = plan.columns.first { $0.role == .dateRead && $0.rule == .fallback }
        dateStarted = column(.dateStarted)
        dateAdded = column(.dateAdded)
        readCount = column(.readCount)
        owned = column(.owned)
        shelves = plan.columns(.shelves)
        tags = plan.columns(.tags)
        notes = plan.columns(.notes)
        review = column(.review)
        publisher = column(.publisher)
        publicationYear = column(.publicationYear)
        originalYear = column(.originalYear)
        publicationDate = column(.publicationDate)
        pageCount = column(.pageCount)
        language = column(.language)
        formats = plan.columns(.format)
        series = column(.series)
        position = column(.position)
        mediaType = column(.mediaType)
        deleted = ruled(.deleted)
        collection = ruled(.collection)
        identifiers = ruled(.identifiers)
        ids = plan.columns.filter { Self.idRoles.contains($0.role ?? .ignore) }
        others = plan.columns.filter { $0.role == nil }
        authorNames = Dictionary(
            uniqueKeysWithValues: (plan.columns(.author) + plan.columns(.authors)).map {
                ($0.index, Self.names($0.rule))
            })
    }

    static let idRoles: Set<ColumnRole> = [
        .goodreadsBookId, .librarythingId, .openLibraryWork, .openLibraryEdition, .asin, .googleVolumeId,
    ]

    /// Columns whose dates can tell the order of day and month.
    var dates: [Column] { [dateRead, dateReadFallback, dateStarted, dateAdded, publicationDate].compactMap(\.self) }

    private static func names(_ rule: ColumnRule?) -> AuthorNames {
        switch rule {
        case .single: AuthorNames(separator: .none, order: .reading)
        case .comma: AuthorNames(separator: .comma, order: .reading)
        case .ampersand: AuthorNames(separator: .ampersand, order: .reading)
        case .semicolon: AuthorNames(separator: .semicolon, order: .reading)
        case .lastFirst: AuthorNames(separator: .semicolon, order: .lastFirst)
        case .barLastFirst: AuthorNames(separator: .bar, order: .lastFirst)
        case .lastFirstWords: AuthorNames(separator: .comma, order: .lastFirstWords)
        default: AuthorNames(separator: .any, order: .any)
        }
    }
}

/// What only the whole file can tell.
package struct FileDecisions: Sendable, Equatable {
    /// The order of day and month; nil if nothing tells it.
    package var dateOrder: CellDate.Order?
    /// The highest rating.
    package var ratingScale = 5
}
