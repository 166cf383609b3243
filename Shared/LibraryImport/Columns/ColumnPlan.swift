package import BookstrackContract

/// The role of every column in a file, and the evidence for it.
package struct ColumnPlan: Sendable {
    /// A column with its role.
    package struct Column: Sendable, Equatable {
        /// Index in the file, from 0.
        package let index: Int
        /// The header's text; empty without a header.
        package let header: String
        package var role: ColumnRole?
        package var rule: ColumnRule?
        package var confidence = 0.0
        package var by: ImportColumn.Evidence?

        /// The name of the column in results and remarks.
        package var name: String { header.isEmpty ? String(index) : header }
    }

    /// Minimum confidence for using a role.
    static let minConfidence = 0.5
    /// Minimum confidence at which a column of titles, ISBNs or Open Library keys identifies the books.
    package static let sufficientConfidence = 0.6

    package internal(set) var format: LibraryFormat
    package internal(set) var confidence: Double
    package let hasHeader: Bool
    package internal(set) var columns: [Column]
    /// The description of the application's format; nil for lists and unknown tables.
    package internal(set) var description: FormatDescription?

    /// The columns with this role, in file order.
    package func columns(_ role: ColumnRole) -> [Column] { columns.filter { $0.role == role } }

    /// Whether a column identifies the books: by titles, ISBNs or Open Library keys with at least ``sufficientConfidence``, or by other identifiers,
    /// unless only the cells suggest that it has them.
    package var isUsable: Bool {
        columns.contains { column in
            switch column.role {
            case .title, .isbn, .isbn10, .isbn13, .openLibraryWork, .openLibraryEdition:
                column.confidence >= Self.sufficientConfidence
            case .asin, .googleVolumeId, .goodreadsBookId, .librarythingId: column.by != .content
            default: false
            }
        }
    }

    /// The columns as shown in results.
    package var importColumns: [ImportColumn] {
        columns.map {
            ImportColumn(
                index: $0.index, header: $0.header, role: $0.role,
                confidence: ($0.confidence * 100).rounded() / 100, by: $0.role == nil ? nil : $0.by)
        }
    }
}
