/// How Open Library sorts the works of an author (`sort` of `search.json`).
package enum AuthorWorksOrder: String, Sendable {
    /// Latest first publication first.
    case newest = "new"
    /// Earliest first publication first.
    case oldest = "old"
    case title
    /// Most readers first.
    case popularity = "readinglog"
}
