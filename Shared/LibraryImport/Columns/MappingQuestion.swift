package import BookstrackContract

/// The question sent to a model if no column of titles, ISBNs or identifiers is recognized: headers and a few rows, without long strings or personal
/// notes.
package struct MappingQuestion: Codable, Sendable, Equatable {
    package struct Column: Codable, Sendable, Equatable {
        /// Index in the file, from 0.
        package var index: Int
        /// The header's text; empty without a header.
        package var header: String
    }

    /// Maximum length of a header or cell in characters.
    package static let maxCellLength = 60
    /// Maximum number of rows.
    package static let rowCount = 5
    /// Maximum number of columns.
    package static let columnCount = 64

    /// The columns in file order; columns with long strings or personal notes are omitted.
    package var columns: [Column]
    /// Cells of the first rows, in the order of `columns`.
    package var rows: [[String]]
    /// The text whose hash is the key for caching a response: all folded headers in file order. Nil without a header, because files without one have
    /// nothing in common but the number of columns.
    package var identity: String?

    /// - Parameters:
    ///   - plan: The recognized columns.
    ///   - rows: The file's first rows, without the header.
    init(plan: ColumnPlan, rows: [[String]]) {
        let kept = plan.columns.filter { Self.maySee($0, rows) }.prefix(Self.columnCount)
        columns = kept.map { Column(index: $0.index, header: Self.cut($0.header)) }
        self.rows = rows.prefix(Self.rowCount).map { row in
            kept.map { $0.index < row.count ? Self.cut(CellText.line(row[$0.index])) : "" }
        }
        identity = plan.hasHeader ? plan.columns.map { FoldedText.fold($0.header) }.joined(separator: "\u{1F}") : nil
    }

    private static let privateRoles: Set<ColumnRole> = [.review, .notes]

    /// Whether the column may be sent to a model: neither its header nor the length of its cells suggests personal text.
    private static func maySee(_ column: ColumnPlan.Column, _ rows: [[String]]) -> Bool {
        if let role = column.role, privateRoles.contains(role) { return false }
        let named = HeaderVocabulary.roles(column.header).filter { $0.value >= .likely }
        if !named.isEmpty, named.allSatisfy({ privateRoles.contains($0.key) }) { return false }
        let cells = rows.map { column.index < $0.count ? CellText.line($0[column.index]) : "" }.filter { !$0.isEmpty }
        let long = cells.count { $0.count > 2 * maxCellLength }
        return 10 * long <= cells.count
    }

    private static func cut(_ text: String) -> String { String(text.prefix(maxCellLength)) }
}

/// A model's response to a ``MappingQuestion``: column roles, each a guess that the cells must confirm.
package struct MappingAnswer: Codable, Sendable, Equatable {
    /// The role of a column.
    package struct Column: Codable, Sendable, Equatable {
        package var index: Int
        /// The name of a ``ColumnRole``; any other name is ignored.
        package var role: String

        package init(index: Int, role: String) { (self.index, self.role) = (index, role) }
    }

    package var columns: [Column]

    package init(columns: [Column]) { self.columns = columns }

    /// The guessed roles by column index. A column that occurs twice is omitted, and so are several columns with a role that only one column may
    /// have.
    package var roles: [Int: ColumnRole] {
        var roles: [Int: ColumnRole] = [:]
        for (index, named) in Dictionary(grouping: columns, by: \.index) where named.count == 1 {
            roles[index] = ColumnRole(rawValue: named[0].role)
        }
        let counts = Dictionary(grouping: roles.values, by: \.self).mapValues(\.count)
        return roles.filter { $0.value.isRepeatable || counts[$0.value] == 1 }
    }
}
