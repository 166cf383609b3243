import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import SuiteFixture
import Testing
import WireClient

@Suite("Importing a library", .serialized)
struct ImportTests {
    /// A Goodreads export with a row for each ISBN; every third book has been read.
    static func export(_ isbns: [String]) -> String {
        let header =
            "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,"
            + "Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,"
            + "Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies"
        let rows = isbns.enumerated().map { number, isbn in
            let isRead = number % 3 == 0
            return
                "\(number + 1),Book number \(number + 1),Author \(number + 1),\"\(number + 1), Author\",,=\"\",=\"\(isbn)\","
                + "\(isRead ? 4 : 0),3.90,Publisher,Paperback,300,2001,1999,\(isRead ? "2023/05/17" : ""),2022/01/02,"
                + "\(isRead ? "" : "to-read"),,\(isRead ? "read" : "to-read"),,,,\(isRead ? 1 : 0),0"
        }
        return ([header] + rows).joined(separator: "\n") + "\n"
    }

    /// Starts an import of a file.
    static func start(
        _ text: String, as jobId: JobID = .random(), on suite: SuiteFixture.Suite
    ) async throws -> StartedImport {
        try await suite.api.answer(
            to: HTTPCall(
                .POST, "/v1/csv/import?jobId=\(jobId)&enrich=true", headers: ["Content-Type": "text/csv"],
                body: ByteBuffer(string: text)))
    }

    @Test("the books are available when the import ends, and their metadata follows in the linked job")
    func linked() async throws {
        let options = SuiteFixture.Suite.Options(emulatorArguments: ["--synthetic", "300"])
        try await SuiteFixture.Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(300)
            let started = try await Self.start(Self.export(isbns), on: suite)
            var watcher = Watcher(suite, started)
            try await watcher.watch()
            let results = try await suite.api.importResults(of: started.jobId)
            #expect(results.source.format == .goodreads)
            #expect(results.books.map(\.isbn) == isbns)
            #expect(results.books.count { $0.status == .read } == 100)
            #expect(results.books.map(\.row) == Array(1...300))
            #expect(results.errors == [])
            #expect(results.successRate == "300/300")
            let enrichment = try #require(started.enrichment)
            #expect(results.enrichment?.jobId == enrichment.jobId)
            var metadata = Watcher(suite, enrichment)
            try await metadata.watch()
            let enriched = try await suite.api.results(of: enrichment.jobId)
            #expect(enriched.successCount == 300)
            #expect(enriched.enrichedBooks.map(\.row) == Array(1...300))
            #expect(Self.uploads(of: suite) == [])
        }
    }

    @Test(
        "the import of a file without a usable column ends with an error that lists the columns, and leaves nothing behind"
    )
    func unusable() async throws {
        try await SuiteFixture.Suite.run { suite in
            let started = try await Self.start("Prijs,Aantal\n3,4\n5,6\n", on: suite)
            var watcher = Watcher(suite, started)
            try await watcher.watch()
            guard case .failed(let payload)? = watcher.endings.first else {
                Issue.record("the import ended with \(watcher.endings)")
                return
            }
            #expect(payload.code == .csvProcessingFailed)
            #expect(payload.error.code == "CSV_PARSE_ERROR")
            #expect(payload.message.contains("Prijs, Aantal"))
            #expect(Self.uploads(of: suite) == [])
        }
    }

    @Test("a file with unrecognized columns is read with a model's mapping, and the results name the model")
    func model() async throws {
        let options = SuiteFixture.Suite.Options(settings: ["BOOKSTRACK_GEMINI_API_KEY": "a-key"])
        try await SuiteFixture.Suite.run(options) { suite in
            let titles = ["Jane Eyre", "Emma Bovary", "Anna Karenina", "David Copperfield", "Oliver Twist"]
            let text = "Heiti,Verð\n" + titles.map { "\($0),3.99\n" }.joined()
            let started = try await Self.start(text, on: suite)
            var watcher = Watcher(suite, started)
            try await watcher.watch()
            let results = try await suite.api.importResults(of: started.jobId)
            #expect(results.books.map(\.title) == titles)
            #expect(results.source.columns.map(\.by) == [.ai, nil])
            #expect(results.metadata.modelUsed == "gemini-3.5-flash-lite")
        }
    }

    @Test("a file with too many rows is rejected, and the error states the limit")
    func tooManyRows() async throws {
        try await SuiteFixture.Suite.run(.init(settings: ["BOOKSTRACK_MAX_IMPORT_ROWS": "3"])) { suite in
            let started = try await Self.start("Title\nA Wizard\nB Tombs\nC Shore\nD Tehanu\n", on: suite)
            var watcher = Watcher(suite, started)
            try await watcher.watch()
            guard case .failed(let payload)? = watcher.endings.first else {
                Issue.record("the import ended with \(watcher.endings)")
                return
            }
            #expect(payload.error.code == "BATCH_TOO_LARGE")
            #expect(payload.details.rows == 4)
            #expect(payload.details.limit == 3)
        }
    }

    @Test("the command line imports a file, counts its books by status, and reports how the lookup ended")
    func commandLine() async throws {
        let options = SuiteFixture.Suite.Options(emulatorArguments: ["--synthetic", "12"])
        try await SuiteFixture.Suite.run(options) { suite in
            let file = suite.directory.appending(path: "library.csv").path
            try Self.export(try await SyntheticBooks.isbns(12)).write(toFile: file, atomically: true, encoding: .utf8)
            let preview = try await suite.bookstrack("import", file, "--preview")
            #expect(preview.output.contains("Goodreads export"))
            #expect(preview.output.contains("12 rows."))
            let run = try await suite.bookstrack("import", file)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains("12 books from 12 rows: 8 to read, 4 read."))
            #expect(run.errors.contains("Added 12 books"))
        }
    }

    /// The entries in the upload folder and in its folder for incomplete uploads.
    static func uploads(of suite: SuiteFixture.Suite) -> [String] {
        let folder = suite.dataDirectory + "/uploads"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let incoming = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/.incoming")) ?? []
        return names.filter { $0 != ".incoming" } + incoming
    }
}
