/// How an application writes the cells of one column, where the role alone does not say it.
package enum ColumnRule: String, Sendable {
    /// One name in reading order.
    case single
    /// Names in reading order between commas.
    case comma
    /// Names in reading order between ` & `.
    case ampersand
    /// Names in reading order between semicolons.
    case semicolon
    /// One name, family name first.
    case lastFirst
    /// The family name alone; the given name is in another column.
    case familyName
    /// The given name alone.
    case givenName
    /// Titles behind a number or a bullet, as in `1. Emma`.
    case numbered
    /// Names between bars, family name first.
    case barLastFirst
    /// One name, family name first without a comma.
    case lastFirstWords
    /// The roles of the names in the column before, between bars.
    case roles
    /// An ISBN, or the application's own identifier.
    case uid
    /// Used where the column with the same role says nothing.
    case fallback
    /// Number of copies.
    case copies
    /// `isbn:9780756411800,goodreads:39077187`.
    case identifiers
    /// Publisher, year, form and pages in one text.
    case publication
    /// Form of a book, or kind of another medium.
    case media
    /// The text is the series, whatever it contains.
    case plain
    /// Yes, a number or a date if the book is read.
    case readFlag
    /// Yes if the book is on the wish list.
    case wishlist
    /// Yes if the row was deleted.
    case deleted
    /// Whether the book is in the collection or on the wish list.
    case collection
}
