/// Why a library file cannot be read as a table.
package enum LibraryFileFault: Error, Equatable, Sendable {
    /// The file cannot be opened or read; `errno` is the reason.
    case unreadable(path: String, errno: Int32)
    /// The file has no rows, for example because it contains only white space.
    case empty
    /// The file is not text: it is neither UTF-8 nor UTF-16, and too many of its first bytes are control characters.
    case notText
    /// The file is probably text in an encoding that is not decoded, such as Shift_JIS or GBK.
    case multibyteText
    /// A record has more cells than allowed.
    case tooManyColumns(line: Int, limit: Int)
    /// A cell has more bytes than allowed.
    case cellTooLong(line: Int, limit: Int)
    /// A record has more bytes than allowed.
    case recordTooLong(line: Int, limit: Int)
    /// A row is the header of another table with other columns.
    case otherHeader(line: Int)
    /// The file has more data rows than allowed.
    case tooManyRows(rows: Int, limit: Int)
    /// The file begins like JSON but cannot be read as an export, for example because it is not valid JSON or has no records.
    case invalidJSON(line: Int, reason: String)
}

/// Limits for a library file.
package struct TableLimits: Sendable, Equatable {
    /// Maximum number of data rows.
    package var rows = 50_000
    /// Maximum number of cells in a row.
    package var columns = 512
    /// Maximum size of a cell in bytes.
    package var cellBytes = 1 << 20

    /// Maximum size of a record in bytes: a longer record cannot be a book and is not kept in memory.
    var recordBytes: Int { 8 * cellBytes }

    package init() {}
}
