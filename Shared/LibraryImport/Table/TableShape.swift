/// The detected encoding of a library file and the shape of its table.
package struct TableShape: Sendable, Equatable {
    /// How the file's text is divided into rows and cells.
    package enum Kind: Sendable, Equatable {
        /// Cells separated by delimiters.
        case delimited
        /// Records of a JSON document; the first row contains the names of their members.
        case json
        /// One ISBN per line.
        case isbnList
        /// "Title by Author" per line, read as two cells.
        case titleByAuthorList
        /// A Kindle's clippings: "Title (Author)", the lines of a clipping, and a line of equals signs. Only the first line of each clipping is a
        /// row, read as two cells.
        case clippings
        /// One text per line.
        case lineList
    }

    /// The bytes that end a record.
    package enum LineEnd: String, Sendable {
        case lf, crlf, cr
    }

    package internal(set) var encoding = TextEncoding.utf8
    package internal(set) var kind = Kind.delimited
    /// The delimiter; nil if each line is one cell.
    package internal(set) var delimiter: UInt8? = UInt8(ascii: ",")
    /// The quote; nil if no cell is quoted.
    package internal(set) var quote: UInt8? = UInt8(ascii: "\"")
    package internal(set) var lineEnd = LineEnd.lf
    /// Number of lines before the first row: notes, merged headings and a declaration such as `sep=;`.
    package internal(set) var skippedLeadingLines = 0
    /// Most common number of cells in a row.
    package internal(set) var width = 1
    /// Whether most lines are each entirely inside one quoted cell.
    package internal(set) var isWrapped = false

    init() {}
}
