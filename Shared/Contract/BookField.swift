/// A field of a book, under the name used in analytics and missing-metadata reports (metadata.md "Quality").
public enum BookField: String, Codable, Sendable, CaseIterable {
    case title
    case authors
    case cover
    case description
    case subjects
    case publisher
    case publicationDate
    case pageCount
    case language
}

/// A set of book fields.
package struct BookFieldSet: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package init(_ field: BookField) { rawValue = 1 << field.position }

    package init(_ fields: some Sequence<BookField>) {
        self = fields.reduce(into: []) { $0.formUnion(BookFieldSet($1)) }
    }

    /// The fields, in declaration order.
    package var fields: [BookField] { BookField.allCases.filter { contains(BookFieldSet($0)) } }
}

extension BookField {
    /// Index in declaration order: the position of the field's bit in a ``BookFieldSet``.
    package var position: Int {
        switch self {
        case .title: 0
        case .authors: 1
        case .cover: 2
        case .description: 3
        case .subjects: 4
        case .publisher: 5
        case .publicationDate: 6
        case .pageCount: 7
        case .language: 8
        }
    }
}

/// The canonical genres, which come first among a work's subject tags (metadata.md "Mapping").
public enum Genre: String, Codable, Sendable, CaseIterable {
    case scienceFiction = "Science Fiction"
    case fantasy = "Fantasy"
    case mystery = "Mystery"
    case thriller = "Thriller"
    case romance = "Romance"
    case horror = "Horror"
    case literaryFiction = "Literary Fiction"
    case historicalFiction = "Historical Fiction"
    case biography = "Biography"
    case history = "History"
    case science = "Science"
    case philosophy = "Philosophy"
    case selfHelp = "Self-Help"
    case business = "Business"
    case trueCrime = "True Crime"
    case youngAdult = "Young Adult"
    case childrens = "Children's"
    case middleGrade = "Middle Grade"
    case classics = "Classics"
    case contemporary = "Contemporary"
    case graphicNovels = "Graphic Novels"
    case poetry = "Poetry"
    case dystopian = "Dystopian"
    case fiction = "Fiction"
}
