/// The two written forms of an ISBN.
package enum ISBNForm: String, Hashable, Sendable {
    /// Nine digits and a check character that may be `X`; in use until 2007.
    case isbn10
    /// Thirteen digits beginning with 978 or 979.
    case isbn13
}
