import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import SuiteFixture
import Testing
import WireClient

@Suite("Imported libraries as downloads and on the command line", .serialized)
struct ImportRoundTripTests {
    /// A library with cells that are difficult to write: formulas, lists, quotes, line breaks, non-ASCII text, and
    /// unknown columns.
    private static let library = """
        Title,Author,ISBN13,Exclusive Shelf,My Rating,Date Read,Bookshelves,Publisher,Number of Pages,My Review,Owner's mood\r
        =SUM(A1:A9),Frank Herbert,9780441172719,read,4,2023/05/17,"sf, re-read",Ace,535,"He said ""no"",\r
        twice.",+1\r
        @Emma,Jane Austen,9780141439587,to-read,0,,,Penguin,,-,\r
        '=Quoted,"Le Guin, Ursula K.",,read,5,2020/01/02,,,,,@home\r
        "Earthsea Mage (Earthsea, #1)",Ursula K. Le Guin,9780547773742,currently-reading,,,"fantasy",,,,\r
        三体,刘慈欣,,abandoned,2,,,,302,Ünïcödé,\r

        """

    /// Imports a file with this text, and returns the job's identifier and results.
    private static func results(of text: String, on suite: SuiteFixture.Suite) async throws -> (JobID, ImportResults) {
        let started: StartedImport = try await suite.api.answer(
            to: HTTPCall(.POST, "/v1/csv/import", headers: ["Content-Type": "text/csv"], body: ByteBuffer(string: text))
        )
        var watcher = Watcher(suite, started)
        try await watcher.watch()
        return (started.jobId, try await suite.api.importResults(of: started.jobId))
    }

    private static func download(
        _ job: JobID, _ query: String, on suite: SuiteFixture.Suite
    ) async throws -> HTTPAnswer {
        try await suite.http.send(HTTPCall(.GET, APIPath.importResults(job) + query))
    }

    /// A book without its position in the file and without the remarks about how it was read.
    private static func comparable(_ book: ImportedBook) -> ImportedBook {
        var comparable = book
        (comparable.row, comparable.lineNumber, comparable.confidence) = (0, 0, 1)
        (comparable.remarks, comparable.duplicateRows) = ([], [])
        (comparable.statusRaw, comparable.ratingRaw) = (book.status == nil ? book.statusRaw : nil, nil)
        return comparable
    }

    @Test(
        "a library that is downloaded as CSV and imported again contains the same books",
        arguments: ["the repository's sample", "cells that are hard to write"])
    func roundTrip(library: String) async throws {
        try await SuiteFixture.Suite.run { suite in
            let sample = try String(contentsOfFile: "deploy/sample/goodreads_library_export.csv", encoding: .utf8)
            let text = library.hasPrefix("cells") ? Self.library : sample
            let (job, first) = try await Self.results(of: text, on: suite)
            #expect(first.books.count >= 5)
            let file = try await Self.download(job, "?format=csv", on: suite)
            #expect(file.headers.first(name: "Content-Type") == "text/csv; charset=utf-8")
            let (secondJob, second) = try await Self.results(of: file.text, on: suite)
            #expect(second.source.format == .bookstrack)
            #expect(second.errors == [])
            #expect(second.books.map(Self.comparable) == first.books.map(Self.comparable))
            // A further round trip changes no byte.
            #expect(try await Self.download(secondJob, "?format=csv", on: suite).text == file.text)
        }
    }

    @Test("cells of a CSV download that look like formulas start with an apostrophe")
    func formulas() async throws {
        try await SuiteFixture.Suite.run { suite in
            let (job, results) = try await Self.results(of: Self.library, on: suite)
            #expect(results.books.prefix(3).map(\.title) == ["=SUM(A1:A9)", "@Emma", "'=Quoted"])
            let text = try await Self.download(job, "?format=csv", on: suite).text
            #expect(text.contains("\r\n\"'=SUM(A1:A9)\","))
            #expect(text.contains("\r\n\"'@Emma\","))
            #expect(text.contains("\r\n\"''=Quoted\","))
            #expect(text.contains(",\"'+1\"\r\n"))
            #expect(!text.contains(",+1"))
            #expect(!text.contains("\"+1"))
        }
    }

    @Test("rows that could not be used are downloaded as they were in the file, and can be corrected and imported")
    func failedRows() async throws {
        try await SuiteFixture.Suite.run { suite in
            let header = "Title,Author,ISBN13,Pages,Mood"
            let bad = [",Frank Herbert,,535,=1+1", ",\"Austen, Jane\",,\"5\"\"0\",-"]
            let rows = [bad[0], "Emma,Jane Austen,9780141439587,474,", bad[1]]
            let (job, results) = try await Self.results(
                of: ([header] + rows).joined(separator: "\n") + "\n", on: suite)
            #expect(results.books.map(\.title) == ["Emma"])
            #expect(results.errors.map(\.row) == [1, 3])
            let file = try await Self.download(job, "?format=csv&rows=failed", on: suite)
            #expect(file.headers.first(name: "Content-Disposition") == "attachment; filename=\"failed-rows.csv\"")
            #expect(file.text == ([header] + bad).map { $0 + "\r\n" }.joined())
            let mended = file.text.replacing("\r\n,", with: "\r\nA Title,")
            #expect(try await Self.results(of: mended, on: suite).1.books.map(\.title) == ["A Title", "A Title"])
        }
    }

    @Test(
        "the command line lists an import and shows its books as a table, as JSON and as CSV"
    )
    func commandLine() async throws {
        try await SuiteFixture.Suite.run { suite in
            let (job, first) = try await Self.results(of: Self.library, on: suite)
            let table = try await suite.bookstrack("results", job.text)
            #expect(table.status == 0, "\(table.errors)")
            #expect(table.output.contains("Frank Herbert"))
            #expect(table.output.contains("5 books from 5 rows"))
            let json = try await suite.bookstrack("results", job.text, "--json")
            #expect(try JSONDecoder().decode(ImportResults.self, from: Data(json.output.utf8)) == first)
            let csv = try await suite.bookstrack("results", job.text, "--format", "csv")
            #expect(csv.output == (try await Self.download(job, "?format=csv", on: suite).text))
            let list = try await suite.bookstrack("jobs", "--pipeline", "csv_import", "--json")
            #expect(list.output.contains(job.text))
            #expect(list.output.contains("\"successCount\" : 5"))
        }
    }

    @Test("the command line watches and cancels an import that is still waiting, and reports that it has no results")
    func cancelled() async throws {
        try await SuiteFixture.Suite.run { suite in
            await suite.worker.end()
            let started: StartedImport = try await suite.api.answer(
                to: HTTPCall(
                    .POST, "/v1/csv/import?enrich=true", headers: ["Content-Type": "text/csv"],
                    body: ByteBuffer(string: Self.library)))
            let job = started.jobId.text
            #expect(ImportTests.uploads(of: suite) == [job])
            let early = try await suite.bookstrack("results", job)
            #expect(early.status == 75, "\(early.errors)")
            async let watched = suite.bookstrack("watch", job, "--token", started.token)
            let cancel = try await suite.bookstrack("cancel", job, "--token", started.token)
            #expect(cancel.status == 0, "\(cancel.errors)")
            #expect(cancel.output == "Job cancelled\n")
            #expect(try await watched.status == 4)
            let results = try await suite.bookstrack("results", job)
            #expect(results.status == 4, "\(results.errors)")
            #expect(results.errors.contains("It was cancelled"))
            #expect(ImportTests.uploads(of: suite) == [])
        }
    }
}
