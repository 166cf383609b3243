package import BookstrackContract

/// The words for a reading status in the vocabulary's languages. A word that is not listed has no status.
package enum StatusWords {
    private static let statuses: [String: ReadingStatus] = {
        var statuses: [String: ReadingStatus] = [:]
        for fields in EmbeddedTable.rows(of: PackageResources.Statuses_tsv) {
            guard let status = fields.first.flatMap(ReadingStatus.init) else { continue }
            for word in fields.dropFirst() { statuses[FoldedText.fold(word)] = status }
        }
        return statuses
    }()

    /// Maximum length in bytes of a word in the vocabulary.
    private static let longest = 64

    /// The status that a cell stands for; nil for a cell that is not one of the words.
    package static func status(_ cell: String) -> ReadingStatus? {
        guard !cell.isEmpty, cell.utf8.count <= longest else { return nil }
        return statuses[cell] ?? statuses[FoldedText.fold(cell)]
    }

    /// The status and the date in a cell such as aNobii's `Finished on 2023-12-29` and `Being read since 2024-04-02`; nil for any other cell, because
    /// `Read in 2021` and `Read by 2025` may be names of shelves.
    static func dated(_ cell: String, order: CellDate.Order?) -> (status: ReadingStatus, date: CellDate.Reading)? {
        guard cell.utf8.count <= longest, cell.utf8.contains(where: \.isASCIIDigit),
            let link = cell.firstRange(of: " on ") ?? cell.firstRange(of: " since "),
            let status = status(String(cell[..<link.lowerBound]))
        else { return nil }
        let date = CellDate.read(String(cell[link.upperBound...]), order: order)
        return date == .none || date == .unreadable ? nil : (status, date)
    }
}
