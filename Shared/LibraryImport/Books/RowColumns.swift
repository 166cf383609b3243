import BookstrackContract

/// A plan's columns by role.
struct RowColumns: Sendable {
    /// A column and how its cells are read. It has no `String` members, so using it for every row involves no reference counting.
    struct Column: Sendable {
        let index: Int
        let role: ColumnRole?
        let rule: ColumnRule?

        fileprivate init(_ column: ColumnPlan.Column) {
            (index, role, rule) = (column.index, column.role, column.rule)
        }
    }

    let title, subtitle, author: Column?
    /// Columns with all authors or, beside a column with the first author, with further ones.
    let authors: [Column]
    /// Roles of the names in the column of secondary authors.
    let contributorRoles: Column?
    /// Given names, if family names are in a separate column.
    let givenName: Column?
    /// Columns with the edition's format, in order of precedence.
    let formats: [Column]
    /// ISBN columns, most reliable first.
    let isbns: [Column]
    let status, wishlist, rating, dateRead, dateReadFallback, dateStarted, dateAdded, readCount, owned: Column?
    let shelves, tags, notes: [Column]
    let review, publisher, publicationYear, originalYear, publicationDate, pageCount, language: Column?
    /// The status that a yes stands for in a column with the rule ``ColumnRule/readFlag``: `read`, unless the header names another status.
    let flaggedStatus: ReadingStatus
    let series, position, mediaType, deleted, collection, identifiers: Column?
    let ids: [Column]
    /// Indexes of the columns without a role; their cells are kept unchanged.
    let others: [Int]
    /// Columns with names, beginning with the first author's column.
    let peopleColumns: [Column]

    init(_ plan: ColumnPlan) {
        let all = plan.columns.map(Column.init)
        func column(_ role: ColumnRole) -> Column? {
            all.first { $0.role == role && $0.rule != .fallback && $0.rule != .wishlist }
        }
        func columns(_ role: ColumnRole) -> [Column] { all.filter { $0.role == role } }
        func ruled(_ rule: ColumnRule) -> Column? { all.first { $0.rule == rule } }
        title = column(.title)
        subtitle = column(.subtitle)
        author = column(.author)
        authors = columns(.authors)
        contributorRoles = ruled(.roles)
        givenName = ruled(.givenName)
        let numbers = [ColumnRole.isbn13, .isbn, .isbn10].flatMap(columns)
        isbns = numbers.filter { $0.rule != .fallback } + numbers.filter { $0.rule == .fallback }
        status = column(.status)
        let flag = plan.columns.first { $0.rule == .readFlag }
        flaggedStatus = flag.flatMap { StatusWords.status($0.header) } ?? .read
        wishlist = ruled(.wishlist)
        rating = column(.rating)
        dateRead = column(.dateRead)
        dateReadFallback = all.first { $0.role == .dateRead && $0.rule == .fallback }
        dateStarted = column(.dateStarted)
        dateAdded = column(.dateAdded)
        readCount = column(.readCount)
        owned = column(.owned)
        shelves = columns(.shelves)
        tags = columns(.tags)
        notes = columns(.notes)
        review = column(.review)
        publisher = column(.publisher)
        publicationYear = column(.publicationYear)
        originalYear = column(.originalYear)
        publicationDate = column(.publicationDate)
        pageCount = column(.pageCount)
        language = column(.language)
        formats = columns(.format).filter { $0.rule != .fallback } + columns(.format).filter { $0.rule == .fallback }
        series = column(.series)
        position = column(.position)
        mediaType = column(.mediaType)
        deleted = ruled(.deleted)
        collection = ruled(.collection)
        identifiers = ruled(.identifiers)
        ids = all.filter { Self.idRoles.contains($0.role ?? .ignore) }
        others = all.filter { $0.role == nil }.map(\.index)
        dates = [dateRead, dateReadFallback, dateStarted, dateAdded, publicationDate].compactMap(\.self)
        peopleColumns = [author].compactMap(\.self) + authors
    }

    static let isbnRoles: Set<ColumnRole> = [.isbn, .isbn10, .isbn13]
    static let idRoles: Set<ColumnRole> = [
        .goodreadsBookId, .librarythingId, .openLibraryWork, .openLibraryEdition, .asin, .googleVolumeId,
    ]

    /// Columns whose dates can reveal the order of day and month.
    let dates: [Column]

    /// How the names in a column are written.
    static func names(_ column: Column) -> AuthorNames {
        switch column.rule {
        case .single: AuthorNames(separator: .none, order: .reading)
        case .comma: AuthorNames(separator: .comma, order: .reading)
        case .ampersand: AuthorNames(separator: .ampersand, order: .any)
        case .semicolon: AuthorNames(separator: .semicolon, order: .reading)
        case .lastFirst: AuthorNames(separator: .any, order: .lastFirst)
        case .barLastFirst: AuthorNames(separator: .bar, order: .lastFirst)
        case .lastFirstWords: AuthorNames(separator: .comma, order: .lastFirstWords)
        default: AuthorNames(separator: .any, order: .any)
        }
    }
}

/// Properties that can be determined only from the whole file.
package struct FileDecisions: Sendable, Equatable {
    /// The order of day and month; nil if unknown.
    package var dateOrder: CellDate.Order?
    /// The highest possible rating.
    package var ratingScale = 5
}
