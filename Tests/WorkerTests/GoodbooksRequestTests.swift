import BookIdentifiers
import BookMetadata
import BookstrackContract
import Foundation
import ProviderClient
import SuiteMethods
import TestSupport
import Testing

@testable import EnrichmentWorker
@testable import ProviderEmulator

/// Looks up readers' rows by title, through the whole worker, at providers that search like the real ones.
@Suite(
    "Requests for real titles", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)),
    .timeLimit(.minutes(10)))
struct GoodbooksRequestTests {
    /// One in this many rows is looked up.
    private static let step = 8

    @Test("almost every title is found, however the reader writes its authors")
    func authorCells() async throws {
        let rows = try Self.rows()
        try await WorkerRig.run(WorkerRig.Options(books: rows.map(\.book))) { rig in
            let some = stride(from: 0, to: rows.count, by: Self.step).map { rows[$0] }
            let plain = await measured("First Last", some, at: rig) { row, _ in row.authors[0] }
            let inverted = await measured("Last, First", some, at: rig) { row, _ in Self.inverted(row.authors[0]) }
            let several = await measured("several authors", some.filter { $0.authors.count > 1 }, at: rig) {
                row, index in
                Self.cell(row.authors, number: index)
            }
            #expect(plain.rightShare >= 0.97)
            #expect(inverted.rightShare >= 0.97)
            #expect(several.rightShare >= 0.94)
            #expect(plain.wrongShare <= 0.005)
            #expect(inverted.wrongShare <= 0.005)
            #expect(several.wrongShare <= 0.01)
        }
    }

    private struct Row: Sendable {
        /// The book as the providers list it.
        let book: CatalogBook
        /// The title with its series, as readers write it.
        let title: String
        /// The authors as readers write them.
        let authors: [String]
    }

    private struct Figures: Sendable {
        var asked = 0
        var right = 0
        var wrong = 0
        var requests = 0
        var rightShare: Double { Double(right) / Double(max(1, asked)) }
        /// Share of the rows for which a different book was verified.
        var wrongShare: Double { Double(wrong) / Double(max(1, asked)) }
    }

    /// Looks the rows up, several at a time, and prints their outcomes.
    private func measured(
        _ name: String, _ rows: [Row], at rig: WorkerRig, author: @escaping @Sendable (Row, Int) -> String
    ) async -> Figures {
        let before = rig.providers.log.count
        var figures = Figures()
        var misses: [String] = []
        for start in stride(from: 0, to: rows.count, by: 16) {
            await withTaskGroup(of: (Row, String, LookupResult?).self) { group in
                for index in start..<min(start + 16, rows.count) {
                    group.addTask {
                        let cell = author(rows[index], index)
                        return (rows[index], cell, await Self.lookUp(rows[index], cell, number: index, at: rig))
                    }
                }
                for await (row, cell, result) in group {
                    figures.asked += 1
                    guard case .found(let merged, _, _, _)? = result else {
                        misses.append("\(row.title) | \(cell)")
                        continue
                    }
                    let book = merged.book
                    let isRight =
                        book.work.openLibraryWorkID.map { row.book.workKey.hasSuffix($0) } == true
                        || book.work.googleBooksVolumeIDs.contains(row.book.volumeID)
                        || book.edition?.googleBooksVolumeIDs.contains(row.book.volumeID) == true
                    if isRight {
                        figures.right += 1
                    } else if book.work.reviewStatus == .verified {
                        figures.wrong += 1
                        misses.append("WRONG \(row.title) | \(cell) → \(book.work.title)")
                    } else {
                        misses.append("review \(row.title) | \(cell) → \(book.work.title)")
                    }
                }
            }
        }
        figures.requests = rig.providers.log.count - before
        let share = (figures.rightShare * 1000).rounded() / 1000
        print(
            "goodbooks10k requests, \(name): \(figures.asked) rows, right \(figures.right) (\(share)), wrong "
                + "\(figures.wrong), \(figures.requests) requests")
        for miss in misses.prefix(40) { print("  missed: \(miss)") }
        return figures
    }

    private static func lookUp(_ row: Row, _ author: String, number: Int, at rig: WorkerRig) async -> LookupResult? {
        let titles = [row.title, row.book.title, row.title.lowercased(), row.book.title]
        guard let question = TitleTerms(title: titles[number % titles.count], author: author) else { return nil }
        let asker = Asker(
            party: .search(UInt64(number), client: nil), workClass: .interactive, isAlone: true, cached: CachedAnswers()
        )
        let lookup = ItemLookup(
            scheduler: rig.worker.scheduler, asker: asker, clock: rig.clock,
            deadline: rig.clock.now.advanced(by: .seconds(60)), stage: .first(maxExpectedWait: .seconds(3)))
        return try? await TitleLookup(lookup: lookup).result(for: question)
    }

    /// The list's books. Of every five, both providers have three, and each of them alone has one; half of the books
    /// have only their first author, since catalogs leave out contributors.
    private static func rows() throws -> [Row] {
        let lines = CSVTable.rows(
            try String(contentsOf: TestData.root.appending(path: "goodbooks10k/books_odd_rows.csv"), encoding: .utf8))
        let known: [Set<Provider>] = [
            [.openLibrary, .googleBooks], [.openLibrary], [.openLibrary, .googleBooks], [.googleBooks],
            [.openLibrary, .googleBooks],
        ]
        var seen: Set<ISBN> = []
        return lines.dropFirst().enumerated().compactMap { index, fields in
            guard fields.count > 11, let isbn = try? ISBN.parse(fields[5]).isbn, seen.insert(isbn).inserted else {
                return nil
            }
            let authors = fields[7].components(separatedBy: ", ")
            let book = CatalogBook(
                isbn: isbn, title: printed(fields[10]), authors: index % 2 == 0 ? authors : [authors[0]],
                firstPublished: Double(fields[8]).map { Int($0) }, work: fields[9].isEmpty ? nil : fields[9],
                knownTo: known[index % known.count])
            return Row(book: book, title: fields[10], authors: authors)
        }
    }

    /// The title without the series at its end; other text in brackets distinguishes books.
    private static func printed(_ title: String) -> String {
        guard title.hasSuffix(")"), title.contains("#"), let bracket = title.lastIndex(of: "("),
            bracket > title.startIndex
        else {
            return title
        }
        return String(title[..<bracket]).trimmingCharacters(in: .whitespaces)
    }

    private static func inverted(_ name: String) -> String {
        let words = name.split(separator: " ")
        guard let family = words.last, words.count > 1 else { return name }
        return "\(family), \(words.dropLast().joined(separator: " "))"
    }

    /// Several people, joined as in exports and catalogs.
    private static func cell(_ names: [String], number: Int) -> String {
        let inverted = names.map { Self.inverted($0) }
        return switch number % 6 {
        case 0: names.joined(separator: ", ")
        case 1: names.joined(separator: " & ")
        case 2: "\(names[0]), \(names[1]) (Illustrator)"
        case 3: inverted.joined(separator: "; ")
        case 4: "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
        default: names.joined(separator: "/")
        }
    }
}
