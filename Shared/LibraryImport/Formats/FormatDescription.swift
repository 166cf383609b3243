package import BookstrackContract

/// An application's export format: its headers, their meanings, and how its cells are written.
package struct FormatDescription: Sendable {
    /// The meaning of a header in the format.
    package struct Column: Sendable, Equatable {
        package let role: ColumnRole
        package let rule: ColumnRule?
    }

    package let format: LibraryFormat
    /// Sets of folded headers; a file that has all headers of one set may have this format.
    package private(set) var signatures: [Set<String>] = []
    /// The application's known layouts: the folded headers of each, in order.
    package private(set) var layouts: [[String]] = []
    /// Columns by folded header.
    package private(set) var columns: [String: Column] = [:]
    /// The order of day and month, if the application writes ambiguous dates.
    package private(set) var dateOrder: CellDate.Order?
    /// The maximum rating; nil if it depends on the file.
    package private(set) var ratingScale: Int?

    /// The known formats, in the order of the table.
    package static let all: [FormatDescription] = {
        var formats: [FormatDescription] = []
        for fields in EmbeddedTable.rows(of: PackageResources.Formats_tsv) where fields.count > 1 {
            if fields[0] == "format" {
                guard let format = LibraryFormat(rawValue: fields[1]) else {
                    preconditionFailure("Formats.tsv contains a format that the contract does not define: \(fields[1])")
                }
                formats.append(FormatDescription(format: format))
            } else if !formats.isEmpty {
                formats[formats.count - 1].take(fields)
            }
        }
        return formats
    }()

    /// The description of a format; nil for lists and unknown tables.
    package static func of(_ format: LibraryFormat) -> FormatDescription? { all.first { $0.format == format } }

    private init(format: LibraryFormat) { self.format = format }

    private mutating func take(_ fields: [String]) {
        switch fields[0] {
        case "requires": signatures.append(Set(fields.dropFirst().map(FoldedText.fold)))
        case "layout": layouts.append(fields.dropFirst().map(FoldedText.fold))
        case "rule" where fields.count == 3 && fields[1] == "dates": dateOrder = CellDate.Order(rawValue: fields[2])
        case "rule" where fields.count == 3 && fields[1] == "scale": ratingScale = Int(fields[2])
        case "column" where fields.count >= 3:
            guard let role = ColumnRole(rawValue: fields[2]) else {
                preconditionFailure("Formats.tsv contains a role that the contract does not define: \(fields[2])")
            }
            let rule = fields.count > 3 ? ColumnRule(rawValue: fields[3]) : nil
            precondition(fields.count == 3 || rule != nil, "Formats.tsv contains a rule that does not exist: \(fields)")
            columns[FoldedText.fold(fields[1])] = Column(role: role, rule: rule)
        default: preconditionFailure("Formats.tsv has a line of an unknown kind: \(fields)")
        }
    }
}

/// A format matched by a set of headers.
package struct RecognizedFormat: Sendable {
    package let description: FormatDescription
    /// From 0.9 to 1; grows with the fraction of known headers.
    package let confidence: Double

    /// The format with the longest signature among the headers, which may be in any order and mixed with other headers; of equally long ones, the one
    /// that knows the most headers. Nil if there is none.
    package init?(foldedHeaders headers: [String]) {
        let present = Set(headers)
        var best: (description: FormatDescription, headers: Int, known: Int)?
        for description in FormatDescription.all {
            for signature in description.signatures where signature.isSubset(of: present) {
                let known = present.count { description.columns[$0] != nil }
                if let best, (best.headers, best.known) >= (signature.count, known) { continue }
                best = (description, signature.count, known)
            }
        }
        guard let best else { return nil }
        description = best.description
        let named = present.count { !$0.isEmpty }
        confidence = 0.9 + 0.1 * Double(best.known) / Double(max(named, 1))
    }
}
