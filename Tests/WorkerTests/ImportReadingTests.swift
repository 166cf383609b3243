import BookstrackContract
import Dispatch
import Foundation
import JSONRPC
import LibraryImport
import Logging
import NIOCore
import Observability
import SuiteMethods
import TestSupport
import Testing

@testable import EnrichmentWorker

@Suite("Reading library files", .timeLimit(.minutes(1)))
struct ImportReadingTests {
    private static let job = JobID("library-import")!
    private static let library = "Title,Author,ISBN13\nDune,Frank Herbert,9780441172719\nEmma,Jane Austen,\n,,\n"

    /// A step for reading a file with this text.
    private func step(
        _ text: String, in rig: WorkerRig, enrich: Bool = false, options: String = "{}"
    ) throws -> ReadingStep {
        let path = rig.directory + "/\(UUID().uuidString).csv"
        try Data(text.utf8).write(to: URL(filePath: path))
        return ReadingStep(
            key: ReadingStepKey(jobId: Self.job, attempt: 1), path: path, fileName: "library.csv",
            bytes: text.utf8.count, options: options, enrich: enrich)
    }

    private func books(_ pages: [RecordImportRows]) throws -> [ImportedBook] {
        try pages.filter { $0.head.part == .books }.flatMap {
            try BodyCoding.decode([ImportedBook].self, from: $0.rows)
        }
    }

    @Test("a file's books are delivered first, and then its summary")
    func reading() async throws {
        try await WorkerRig.run { rig in
            rig.host.imports.hand(try step(Self.library, in: rig, enrich: true))
            let (pages, end) = await rig.host.imports.calls()
            #expect(try books(pages).map(\.title) == ["Dune", "Emma"])
            #expect(pages.map(\.head.page) == Array(pages.indices))
            #expect(pages.flatMap { $0.head.queries ?? [] }.map(\.row) == [1, 2])
            guard case .finish(let finish) = end else {
                Issue.record("the step ended with \(String(describing: end))")
                return
            }
            #expect(finish.pages == pages.count)
            #expect(finish.summary.booksCreated == 2)
            #expect(finish.key == ReadingStepKey(jobId: Self.job, attempt: 1))
        }
    }

    @Test("progress goes from parsing through validating to saving, and never goes back")
    func phases() async throws {
        try await WorkerRig.run { rig in
            let rows = (1...3_000).map { "Book \($0),Author \($0),\n" }.joined()
            let step = try step("Title,Author,ISBN13\n" + rows, in: rig)
            rig.host.imports.hand(step)
            _ = await rig.host.imports.calls()
            let told = rig.host.imports.progress
            let phases = told.map(\.phase).reduce(into: [ImportPhase]()) { if $0.last != $1 { $0.append($1) } }
            #expect(phases == [.parsing, .validating, .saving])
            #expect(told.map(\.bytesRead) == told.map(\.bytesRead).sorted())
            #expect(told.last?.bytesRead == step.bytes)
        }
    }

    @Test("a reading step is counted with its outcome and rows, and the event tail shows its start, end and format")
    func counted() async throws {
        try await WorkerRig.run { rig in
            var step = try step(Self.library, in: rig)
            (step.traceId, step.requestId) = ("4bf92f3577b34da6a3ce929d0e0e4736", "from-a-client")
            rig.host.imports.hand(step)
            _ = await events(2, of: rig.tail)
            var unusable = try self.step("Naam,Prijs\n", in: rig)
            unusable.key.attempt = 2
            rig.host.imports.hand(unusable)
            let seen = await events(4, of: rig.tail)
            #expect(
                seen.map(\.event?.job?.step) == [.readingStarted, .readingFinished, .readingStarted, .readingFailed])
            #expect(seen.allSatisfy { $0.jobId == Self.job.text })
            #expect(seen[1].requestId == "from-a-client")
            #expect(seen[1].event?.job?.result == "unknown")
            #expect(seen[1].durationMs != nil)
            #expect(seen[3].event?.job?.code == "CSV_PARSE_ERROR")
            #expect(rig.number("bookstrack_files_read_total", "finished") == 1)
            #expect(rig.number("bookstrack_files_read_total", "unusable") == 1)
            #expect(rig.number("bookstrack_files_read_total") == 2)
            #expect(rig.number("bookstrack_file_rows_total", "book") == 2)
            #expect(rig.number("bookstrack_file_bytes_total") == Double(Self.library.utf8.count))
        }
    }

    /// Returns the first events of the tail once there are this many.
    private func events(_ count: Int, of tail: TailHub) async -> [TailEvent] {
        var seen: [TailEvent] = []
        while seen.count < count {
            await tail.more(after: seen.count)
            seen = tail.entries(after: 0, atMost: 10).entries.map { TailEvent($0) }
        }
        return seen
    }

    @Test(
        "the longest possible row of a file is delivered, whatever characters it contains",
        arguments: ["\u{1}", "\n", "\"", "\\", "x", "é", "📚"])
    func longestRow(character: String) async throws {
        try await WorkerRig.run { rig in
            rig.host.imports.hand(try step(Self.fileWithLongestRow(of: character), in: rig, enrich: true))
            let (pages, end) = await rig.host.imports.calls()
            #expect(pages.map(\.head.rowCount) == [1])
            #expect(pages.allSatisfy { $0.rows.readableBytes <= ImportPage.maxRowBytes + 2 })
            guard case .finish(let finish) = end else {
                Issue.record("the step ended with \(String(describing: end))")
                return
            }
            #expect(finish.summary.duplicatesSkipped == 19_999)
        }
    }

    /// A file in the suite's own format, whose cells are not tidied, with one book in 20 000 rows. Every field of the book exceeds its limit.
    private static func fileWithLongestRow(of character: String) -> String {
        func quoted(_ cell: String) -> String { "\"" + cell.replacing("\"", with: "\"\"") + "\"" }
        let long = String(repeating: character, count: 30_000)
        let words = (100..<220).map { "\($0)" + long.prefix(300) }.joined(separator: "; ")
        let days = (0..<1_200).map { "\(1_000 + $0)-01-01/\(1_000 + $0)-01-02" }.joined(separator: "; ")
        var cells = [
            ("title", "T" + long.prefix(490)), ("isbn13", "9780306406157"), ("dateRead", days), ("readCount", "1"),
            ("goodreadsBookId", "1"), ("openLibraryWork", "OL1W"), ("authors", words), ("shelves", words),
            ("tags", words), ("review", long), ("notes", long), ("other", long),
        ]
        for role in ["subtitle", "publisher", "language", "status", "series", "position", "rating"] {
            cells.append((role, String(long.prefix(5_000))))
        }
        // Each of these cells is repaired, which the row's remarks mention with the name of the column.
        for number in 100..<200 { cells.append((String(repeating: "\"", count: 253) + "\(number)", "BrochÃ©")) }
        let lines = [cells.map { quoted($0.0) }, cells.map { quoted($0.1) }].map { $0.joined(separator: ",") + "\n" }
        return lines.joined() + String(repeating: "T,9780306406157\n", count: 19_999)
    }

    @Test("if an import has no linked job, its pages contain no queries")
    func withoutEnrichment() async throws {
        try await WorkerRig.run { rig in
            rig.host.imports.hand(try step(Self.library, in: rig))
            #expect(await rig.host.imports.calls().pages.allSatisfy { $0.head.queries == nil })
        }
    }

    @Test("a file that cannot be imported is reported with the reason")
    func failure() async throws {
        try await WorkerRig.run { rig in
            rig.host.imports.hand(try step("Naam,Prijs\n", in: rig))
            guard case .fail(let parameters) = await rig.host.imports.calls().end else {
                Issue.record("the step did not fail")
                return
            }
            #expect(parameters.failure.code == .csvParseError)
            #expect(!parameters.failure.message.isEmpty)
        }
    }

    @Test("a missing file is reported as a processing failure, not as a fault of the file")
    func missing() async throws {
        try await WorkerRig.run { rig in
            var step = try step(Self.library, in: rig)
            step.path += ".gone"
            rig.host.imports.hand(step)
            guard case .fail(let parameters) = await rig.host.imports.calls().end else {
                Issue.record("the step did not fail")
                return
            }
            #expect(parameters.failure.code == .processingFailed)
        }
    }

    @Test("a file that is shorter than when it was uploaded is not read", arguments: [0, 40])
    func damaged(length: Int) async throws {
        try await WorkerRig.run { rig in
            let step = try step(Self.library, in: rig)
            try Data(Self.library.utf8.prefix(length)).write(to: URL(filePath: step.path))
            rig.host.imports.hand(step)
            let (pages, end) = await rig.host.imports.calls()
            #expect(pages.isEmpty)
            guard case .fail(let parameters) = end else {
                Issue.record("the step did not fail")
                return
            }
            #expect(parameters.failure.code == .processingFailed)
            #expect(parameters.failure.message == "The uploaded file is damaged. Upload it again.")
        }
    }

    @Test("a page that the host cannot accept is sent again until it is accepted, and the reason is logged once")
    func refusedPage() async throws {
        let log = RecordingLog()
        try await WorkerRig.run(.init(logger: log.logger)) { rig in
            rig.host.imports.answer(.refused(.serviceUnavailable), .refused(.serviceUnavailable))
            rig.host.imports.hand(try step(Self.library, in: rig))
            let (pages, end) = await rig.host.imports.calls()
            #expect(pages.prefix(3).map(\.head.page) == [0, 0, 0])
            guard case .finish = end else {
                Issue.record("the step did not finish")
                return
            }
        }
        let text = "progress-host did not accept a delivery; retrying"
        #expect(log.texts(at: .warning).count { $0 == text } == 1)
    }

    @Test("a step that is no longer needed is dropped, and the next file is read")
    func unwanted() async throws {
        try await WorkerRig.run { rig in
            rig.host.imports.answer(.unwanted)
            rig.host.imports.hand(try step(Self.library, in: rig))
            _ = await rig.host.imports.next()
            var second = try step("Title,Author\nUlysses,James Joyce\n", in: rig)
            second.key.attempt = 2
            rig.host.imports.hand(second)
            let (pages, end) = await rig.host.imports.calls()
            #expect(try books(pages).map(\.title) == ["Ulysses"])
            guard case .finish(let finish) = end else {
                Issue.record("the step did not finish")
                return
            }
            #expect(finish.key.attempt == 2)
        }
    }

    @Test("while a page is being delivered, only one more page is read ahead")
    func pageAhead() async throws {
        try await WorkerRig.run { rig in
            let rows = (1...3_000).map { "Book \($0),Author \($0),\n" }.joined()
            let step = try step("Title,Author,ISBN13\n" + rows, in: rig)
            let thread = ReadingThread()
            thread.start(path: step.path, bytes: step.bytes, options: ImportOptions(), limits: TableLimits())
            var events = thread.events.makeAsyncIterator()
            var pages = 0
            while pages < 2, let event = await events.next() {
                if case .page = event { pages += 1 }
            }
            #expect(pages == 2)
            thread.stop()
            while let event = await events.next() {
                if case .page = event { Issue.record("a third page was read") }
            }
        }
    }

    @Test("a stopping worker hands its file back")
    func stop() async throws {
        try await WorkerRig.run { rig in
            rig.host.imports.answer(.held)
            let step = try step(Self.library, in: rig)
            rig.host.imports.hand(step)
            _ = await rig.host.imports.next()
            await rig.worker.stop()
            guard case .release(let key) = await rig.host.imports.next() else {
                Issue.record("the file was not handed back")
                return
            }
            #expect(key == step.key)
        }
    }

    @Test("reading stops when the file's job is withdrawn")
    func withdrawn() async throws {
        try await WorkerRig.run { rig in
            rig.host.imports.answer(.held)
            rig.host.imports.hand(try step(Self.library, in: rig))
            _ = await rig.host.imports.next()
            rig.host.withdraw([Self.job])
            // The worker reads the notification before the response that follows it.
            rig.host.imports.answerHeldPage()
            var second = try step("Title,Author\nUlysses,James Joyce\n", in: rig)
            second.key.attempt = 2
            rig.host.imports.hand(second)
            let (pages, end) = await rig.host.imports.calls()
            #expect(try books(pages).map(\.title) == ["Ulysses"])
            guard case .finish(let finish) = end else {
                Issue.record("the step did not finish")
                return
            }
            #expect(finish.key.attempt == 2)
        }
    }
}

extension WorkerRig {
    /// The sum of a family's samples, or only of those with this label value.
    fileprivate func number(_ name: String, _ value: String? = nil) -> Double {
        registry.families().filter { $0.name == name }.flatMap(\.samples).filter { sample in
            value.map { value in sample.labels.contains { $0.value == value } } ?? true
        }.reduce(0) { sum, sample in
            if case .number(let number) = sample.reading { sum + number } else { sum }
        }
    }
}

@Suite("Previews of library files", .timeLimit(.minutes(1)))
struct ImportPreviewTests {
    private func file(_ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "preview-\(UUID().uuidString)").path
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test("a preview contains the file's first 20 books and its total number of rows")
    func preview() async throws {
        let path = try file("Title,Author\n" + (1...30).map { "Book \($0),Author \($0)\n" }.joined())
        defer { try? FileManager.default.removeItem(atPath: path) }
        let raw = try await ImportPreviews().answer(.init(path: path, fileName: "a.csv"))
        let preview = try BodyCoding.decode(ImportPreview.self, from: raw)
        #expect(preview.books.count == 20)
        #expect(preview.totalRows == 30)
        #expect(preview.books.first?.title == "Book 1")
    }

    @Test("a file that cannot be imported is rejected with a code that clients know")
    func refusal() async throws {
        let path = try file("Naam,Prijs\n")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let refusal = await #expect(throws: RPCApplicationError.self) {
            try await ImportPreviews().answer(.init(path: path, fileName: "a.csv"))
        }
        #expect(refusal?.detail.code == "CSV_PARSE_ERROR")
    }

    @Test("a preview with malformed options is rejected")
    func options() async throws {
        let refusal = await #expect(throws: RPCApplicationError.self) {
            try await ImportPreviews().answer(.init(path: "/dev/null", fileName: "a.csv", options: "[]"))
        }
        #expect(refusal?.detail.code == "INVALID_REQUEST")
    }

    @Test("at most two previews run concurrently, and a third is refused")
    func bound() async throws {
        let gate = DispatchSemaphore(value: 0)
        let previews = ImportPreviews { _, options, _ in
            gate.wait()
            return LibraryReading(
                try LibraryTable(bytes: Array("Title,Author\nEmma,Jane Austen\n".utf8)), options: options)
        }
        try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
            let parameters = PreviewImport.Parameters(path: "/dev/null", fileName: "a.csv")
            for _ in 0..<2 { group.addTask { try await previews.answer(parameters) } }
            try await until { previews.count >= 2 }
            let refusal = await #expect(throws: RPCApplicationError.self) { try await previews.answer(parameters) }
            #expect(refusal?.detail.code == "SERVICE_UNAVAILABLE")
            #expect(refusal?.detail.retryAfterSeconds == 1)
            for _ in 0..<2 { gate.signal() }
            for try await answer in group {
                #expect(try BodyCoding.decode(ImportPreview.self, from: answer).totalRows == 1)
            }
        }
        #expect(previews.count == 0)
    }
}
