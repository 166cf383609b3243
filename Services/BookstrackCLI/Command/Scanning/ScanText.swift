import BookstrackContract
import ServiceKit

/// The books of a scan as text for users, JSON or CSV. The text lists books that need no review, then books to review.
///
/// A book is numbered by its position in the results; annotated photos show the same number.
struct ScanText {
    let style: OutputStyle

    /// The text with the tables and the counts.
    ///
    /// - Parameter names: The names of the photos; empty if they are unknown.
    func text(_ results: ScanResults, names: [String] = []) -> String {
        let books = Array(zip(1..., results.books))
        let showsPhotos = results.photos.count > 1
        var lines: [String] = []
        func list(_ heading: String, _ meaning: OutputMeaning, _ table: TextTable) {
            guard !table.rows.isEmpty else { return }
            lines += [style.paint("\(heading) (\(table.rows.count)):", meaning), ""] + table.lines(style) + [""]
        }
        list("Approved", .ok, Self.approved(books.filter { $1.reviewStatus == .verified }, showsPhotos))
        list("To review", .warning, Self.toReview(books.filter { $1.reviewStatus != .verified }, showsPhotos))
        if showsPhotos { lines += photos(results.photos, names) }
        lines.append(Self.summary(results))
        return lines.joined(separator: "\n") + "\n"
    }

    /// The results in any format; `json` is the API's.
    func text(_ results: ScanResults, as format: OutputFormat, names: [String] = []) throws -> String {
        switch format {
        case .table: text(results, names: names)
        case .json: try OutputOptions.json(results)
        case .csv: Self.csv(results.books).csv
        }
    }

    private func photos(_ photos: [ScannedPhoto], _ names: [String]) -> [String] {
        photos.map { photo in
            let name = names.indices.contains(photo.index) ? TerminalText.line(names[photo.index]) : ""
            return "Photo \(photo.index.addingClamped(1))" + (name.isEmpty ? "" : ", \(name)") + ": "
                + (photo.error.map { style.paint(TerminalText.line($0), .problem) } ?? PhotoBars.text(photo))
        } + [""]
    }

    private static func summary(_ results: ScanResults) -> String {
        let photos = CountText.text(results.photos.count, "photo")
        guard results.totalDetected > 0 else { return "No books were found in \(photos)." }
        return "\(CountText.text(results.totalDetected, "book")) in \(photos): \(results.approved) approved, "
            + "\(results.needsReview) to review."
    }

    private static func approved(_ books: [(Int, ScannedBook)], _ showsPhotos: Bool) -> TextTable {
        TextTable(
            columns: [.init("#", .figure), .init("Title", .text), .init("Author", .text), .init("ISBN")]
                + (showsPhotos ? [.init("Photo", .figure)] : []) + [.init("Sure", .figure)],
            rows: books.map { number, book in
                ["\(number)", book.title, book.author, book.isbn ?? ""]
                    + (showsPhotos ? ["\(book.photoIndex.addingClamped(1))"] : []) + [percentage(book)]
            })
    }

    private static func toReview(_ books: [(Int, ScannedBook)], _ showsPhotos: Bool) -> TextTable {
        TextTable(
            columns: [.init("#", .figure), .init("Title", .text), .init("Author", .text)]
                + (showsPhotos ? [.init("Photo", .figure)] : []) + [.init("Sure", .figure), .init("Why", .prose)],
            rows: books.map { number, book in
                ["\(number)", book.title, book.author] + (showsPhotos ? ["\(book.photoIndex.addingClamped(1))"] : [])
                    + [percentage(book), reason(book)]
            })
    }

    private static func percentage(_ book: ScannedBook) -> String { "\(Int(nearest: book.confidence * 100)) %" }

    /// Why a book needs review, and which books it may be.
    private static func reason(_ book: ScannedBook) -> String {
        var reasons: [String] = []
        if let error = book.error {
            reasons.append(error + (book.retryable == true ? " (may succeed later)" : ""))
        } else if book.confidence < ScannedBook.sureConfidence {
            reasons.append("hard to read")
        } else {
            reasons.append("may be a different book")
        }
        if let candidates = book.candidates, !candidates.isEmpty {
            reasons.append("perhaps " + candidates.map(\.work.title).joined(separator: " or "))
        }
        if book.enrichmentStatus == .success, !book.text.hasPrefix(book.title) {
            reasons.append("the spine reads: \(book.text)")
        }
        return reasons.joined(separator: "; ")
    }

    private static func csv(_ books: [ScannedBook]) -> TextTable {
        let keys = [
            "number", "photo", "review_status", "title", "author", "isbn", "confidence", "text", "error_code", "error",
        ]
        return TextTable(
            columns: keys.map { TextTable.Column($0) },
            rows: zip(1..., books).map { number, book in
                [
                    "\(number)", "\(book.photoIndex.addingClamped(1))", book.reviewStatus.rawValue, book.title,
                    book.author, book.isbn ?? "", "\(book.confidence)", book.text, book.errorCode?.rawValue ?? "",
                    book.error ?? "",
                ]
            })
    }
}
