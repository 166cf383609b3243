import BookstrackContract
import Foundation
import LibraryImport

/// What was recognized in a library file and the outcomes of its rows, as text for users, JSON or CSV.
struct ImportText {
    /// Maximum number of unusable rows in text; all of them can be downloaded.
    private static let shownErrors = 20

    /// A library in JSON output: the API's document, with the ID of the import job added.
    private struct Library: Encodable {
        let jobId: JobID
        let results: ImportResults

        private enum CodingKeys: String, CodingKey { case jobId }

        func encode(to encoder: any Encoder) throws {
            try results.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(jobId, forKey: .jobId)
        }
    }

    let style: OutputStyle

    /// The server's reason for refusing a file; advice to use the API's `mapping` is replaced by advice to use `--map`.
    static func advice(_ reason: String) -> String {
        reason.replacing(ImportFailure.mappingAdvice, with: "Specify the title column with --map COLUMN=title.")
    }

    /// The text of an ended import.
    func text(_ results: ImportResults, of job: JobID, at address: ServerAddress) -> String {
        var lines = [SourceText.sentence(results.source)]
        if results.source.format == .unknown {
            lines += ["", heading("Columns")] + SourceText.table(results.source, results.books).lines(style) + [""]
        }
        lines.append(Self.count(results))
        lines += Self.others(duplicates: results.duplicatesSkipped, skipped: results.skippedRows)
        lines += errors(results.errors)
        if !results.errors.isEmpty {
            lines += ["", "Download these rows: \(address)\(APIPath.importResults(job))?format=csv&rows=failed"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The results of an import in any format: text with its books and unusable rows, the API's JSON with the job's ID,
    /// or CSV that can be imported again.
    func text(_ results: ImportResults, of job: JobID, as format: OutputFormat) throws -> String {
        switch format {
        case .json: return try OutputOptions.json(Library(jobId: job, results: results))
        case .csv:
            let file = LibraryCSV(source: results.source)
            return file.header + results.books.map(file.line).joined()
        case .table:
            let books = results.books.isEmpty ? [] : Self.table(results.books).lines(style) + [""]
            let rest = Self.others(duplicates: results.duplicatesSkipped, skipped: results.skippedRows)
            return (books + [Self.count(results)] + rest + errors(results.errors)).joined(separator: "\n") + "\n"
        }
    }

    /// The text of a preview.
    func text(_ preview: ImportPreview) -> String {
        var lines = [SourceText.sentence(preview.source), "", heading("Columns")]
        lines += SourceText.table(preview.source, preview.books).lines(style)
        lines += ["", CountText.text(preview.totalRows, "row") + "."]
        lines += Self.others(duplicates: preview.duplicates, skipped: 0)
        if !preview.books.isEmpty {
            lines += ["", heading("Books")] + Self.table(preview.books).lines(style)
        }
        lines += errors(preview.errors)
        return lines.joined(separator: "\n") + "\n"
    }

    /// How the metadata lookup ended.
    static func notice(_ report: JobReport) -> String {
        if let failure = report.failure { return "Metadata, job \(report.job): \(failure.message)" }
        let stop = report.message.last?.isPunctuation == false ? "." : ""
        return "Metadata: \(report.message)\(stop) To read it: bookstrack results \(report.job.short)"
    }

    private func heading(_ text: String) -> String { style.paint(text + ":", .heading) }

    private func errors(_ errors: [ImportRowError]) -> [String] {
        guard !errors.isEmpty else { return [] }
        let table = TextTable(
            columns: [
                .init("Row", .figure), .init("Line", .figure), .init("Title", .text), .init("Why", .prose),
            ],
            rows: errors.prefix(Self.shownErrors).map { ["\($0.row)", "\($0.lineNumber)", $0.title, $0.error] })
        let rest = errors.count - table.rows.count
        return ["", style.paint("Could not be used (\(errors.count)):", .warning)] + table.lines(style)
            + (rest > 0 ? ["and \(rest) more"] : [])
    }

    private static func table(_ books: [ImportedBook]) -> TextTable {
        TextTable(
            columns: [
                .init("Title", .text), .init("Authors", .text), .init("ISBN"), .init("Status"),
                .init("Rating", .figure, least: 6),
            ],
            rows: books.map { book in
                [
                    book.title, book.authors.joined(separator: ", "), book.isbn ?? "",
                    book.status?.rawValue ?? book.statusRaw ?? "", book.rating.map { "\($0)" } ?? "",
                ]
            })
    }

    /// The number of books, in total and per status: "2 books from 3 rows: 1 read, 1 to read."
    private static func count(_ results: ImportResults) -> String {
        let total =
            CountText.text(results.booksCreated, "book") + " from " + CountText.text(results.totalRows, "row")
        return results.books.isEmpty ? "\(total)." : "\(total): \(statuses(results.books))."
    }

    /// The number of books per status, in the order of ``ReadingStatus``.
    static func statuses(_ books: [ImportedBook]) -> String {
        let counts = Dictionary(grouping: books, by: \.status).mapValues(\.count)
        let known = ReadingStatus.allCases.compactMap { status in counts[status].map { "\($0) \(status.words)" } }
        return (known + (counts[nil].map { ["\($0) without a status"] } ?? [])).joined(separator: ", ")
    }

    private static func others(duplicates: Int, skipped: Int) -> [String] {
        var lines: [String] = []
        if duplicates > 0 {
            lines.append(duplicates == 1 ? "1 row repeats a book." : "\(duplicates) rows repeat a book.")
        }
        if skipped > 0 { lines.append(skipped == 1 ? "1 row is not a book." : "\(skipped) rows are not books.") }
        return lines
    }
}

extension ReadingStatus {
    fileprivate var words: String {
        switch self {
        case .toRead: "to read"
        case .reading: "being read"
        case .read: "read"
        case .didNotFinish: "not finished"
        case .paused: "paused"
        case .owned: "owned"
        case .wishlist: "on the wish list"
        }
    }
}
