/// How an application writes the cells of one column, if the role alone does not determine it.
package enum ColumnRule: String, Sendable {
    /// One name: of a person, in reading order, or of a shelf.
    case single
    /// Names in reading order, separated by commas.
    case comma
    /// Names in reading order, separated by ` & `.
    case ampersand
    /// Names in reading order, separated by semicolons.
    case semicolon
    /// Names with the family name first, separated by any mark or conjunction except commas.
    case lastFirst
    /// Only the family name; the given name is in another column.
    case familyName
    /// Only the given name.
    case givenName
    /// A title preceded by a number or a bullet, as in `1. Emma`.
    case numbered
    /// Names separated by bars, family name first.
    case barLastFirst
    /// Names separated by commas, each with the family name first: `Verne Jules, Sand George`.
    case lastFirstWords
    /// The roles of the names in the column with the rule ``barLastFirst``, separated by bars.
    case roles
    /// An ISBN, or the application's own identifier.
    case uid
    /// The cells are used only in rows in which the other column with the same role is empty.
    case fallback
    /// Number of copies; 0 leaves open whether the book is owned.
    case copies
    /// `isbn:9780756411800,goodreads:39077187`.
    case identifiers
    /// Publisher, year, format and pages in one text.
    case publication
    /// Format of a book, or kind of another medium.
    case media
    /// The name of a series; nothing in it is a volume number.
    case plain
    /// Whether the book has been read, or has the status that the header names: yes or no, a date, or a word for a status.
    case readFlag
    /// A status, or the identifier of a shelf whose name is in another column.
    case shelfIdentifier
    /// Yes if the book is on the wish list.
    case wishlist
    /// Yes if the row was deleted.
    case deleted
    /// Whether the book is in the collection or on the wish list.
    case collection
}
