import BookstrackContract
import Dispatch
import Foundation
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@testable import EnrichmentWorker

@Suite("Reading library files", .timeLimit(.minutes(1)))
struct ImportReadingTests {
    private static let job = JobID("library-import")!
    private static let library = "Title,Author,ISBN13\nDune,Frank Herbert,9780441172719\nEmma,Jane Austen,\n,,\n"

    /// A file that is handed out.
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

    @Test("the books of a file are delivered, then its figures")
    func reading() async throws {
        try await WorkerRig.run { rig in
            rig.host.imports.hand(try step(Self.library, in: rig, enrich: true))
            let (pages, end) = await rig.host.imports.story()
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

    @Test("without a linked job nothing is said of what it would look up")
    func withoutEnrichment() async throws {
        try await WorkerRig.run { rig in
            rig.host.imports.hand(try step(Self.library, in: rig))
            #expect(await rig.host.imports.story().pages.allSatisfy { $0.head.queries == nil })
        }
    }

    @Test("a file that is no library is reported with what is wrong with it")
    func failure() async throws {
        try await WorkerRig.run { rig in
            rig.host.imports.hand(try step("Naam,Prijs\n", in: rig))
            guard case .fail(let parameters) = await rig.host.imports.story().end else {
                Issue.record("it did not fail")
                return
            }
            #expect(parameters.failure.code == .csvParseError)
            #expect(!parameters.failure.message.isEmpty)
        }
    }

    @Test("a file that is gone is not the client's fault")
    func missing() async throws {
        try await WorkerRig.run { rig in
            var step = try step(Self.library, in: rig)
            step.path += ".gone"
            rig.host.imports.hand(step)
            guard case .fail(let parameters) = await rig.host.imports.story().end else {
                Issue.record("it did not fail")
                return
            }
            #expect(parameters.failure.code == .processingFailed)
        }
    }

    @Test("a page that the host cannot take is sent again until it does")
    func refusedPage() async throws {
        try await WorkerRig.run { rig in
            rig.host.imports.answer(.refused(.serviceUnavailable), .refused(.serviceUnavailable))
            rig.host.imports.hand(try step(Self.library, in: rig))
            let (pages, end) = await rig.host.imports.story()
            #expect(pages.prefix(3).map(\.head.page) == [0, 0, 0])
            guard case .finish = end else {
                Issue.record("it did not finish")
                return
            }
        }
    }

    @Test("a step that is not wanted any more is dropped, and the next file is read")
    func unwanted() async throws {
        try await WorkerRig.run { rig in
            rig.host.imports.answer(.unwanted)
            rig.host.imports.hand(try step(Self.library, in: rig))
            _ = await rig.host.imports.next()
            var second = try step("Title,Author\nUlysses,James Joyce\n", in: rig)
            second.key.attempt = 2
            rig.host.imports.hand(second)
            let (pages, end) = await rig.host.imports.story()
            #expect(try books(pages).map(\.title) == ["Ulysses"])
            guard case .finish(let finish) = end else {
                Issue.record("it did not finish")
                return
            }
            #expect(finish.key.attempt == 2)
        }
    }

    @Test("a worker that stops hands its file back")
    func stop() async throws {
        try await WorkerRig.run { rig in
            rig.host.imports.answer(.held)
            let step = try step(Self.library, in: rig)
            rig.host.imports.hand(step)
            _ = await rig.host.imports.next()
            await rig.worker.stop()
            guard case .release(let key) = await rig.host.imports.next() else {
                Issue.record("it was not handed back")
                return
            }
            #expect(key == step.key)
        }
    }

    @Test("a file whose job is withdrawn is read no further")
    func withdrawn() async throws {
        try await WorkerRig.run { rig in
            rig.host.imports.answer(.held)
            rig.host.imports.hand(try step(Self.library, in: rig))
            _ = await rig.host.imports.next()
            rig.host.withdraw([Self.job])
            // The notification is read before the answer that follows it.
            rig.host.imports.answerHeldPage()
            var second = try step("Title,Author\nUlysses,James Joyce\n", in: rig)
            second.key.attempt = 2
            rig.host.imports.hand(second)
            let (pages, end) = await rig.host.imports.story()
            #expect(try books(pages).map(\.title) == ["Ulysses"])
            guard case .finish(let finish) = end else {
                Issue.record("it did not finish")
                return
            }
            #expect(finish.key.attempt == 2)
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

    @Test("a preview shows the first books and the figures of the file")
    func preview() async throws {
        let path = try file("Title,Author\n" + (1...30).map { "Book \($0),Author \($0)\n" }.joined())
        defer { try? FileManager.default.removeItem(atPath: path) }
        let raw = try await ImportPreviews().answer(.init(path: path, fileName: "a.csv"))
        let preview = try BodyCoding.decode(ImportPreview.self, from: raw)
        #expect(preview.books.count == 20)
        #expect(preview.totalRows == 30)
        #expect(preview.books.first?.title == "Book 1")
    }

    @Test("a file that is no library is refused with a code that clients know")
    func refusal() async throws {
        let path = try file("Naam,Prijs\n")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let refusal = await #expect(throws: RPCApplicationError.self) {
            try await ImportPreviews().answer(.init(path: path, fileName: "a.csv"))
        }
        #expect(refusal?.detail.code == "CSV_PARSE_ERROR")
    }

    @Test("options that are none are refused")
    func options() async throws {
        let refusal = await #expect(throws: RPCApplicationError.self) {
            try await ImportPreviews().answer(.init(path: "/dev/null", fileName: "a.csv", options: "[]"))
        }
        #expect(refusal?.detail.code == "INVALID_REQUEST")
    }

    @Test("two previews are made at once, and a third is refused until one of them ends")
    func bound() async throws {
        let gate = DispatchSemaphore(value: 0)
        let previews = ImportPreviews { _, _ in
            gate.wait()
            let source = ImportSource(
                format: .unknown, confidence: 0, encoding: "utf-8", delimiter: ",", lineEnd: "lf", hasHeader: true,
                columns: [])
            return ImportPreview(source: source, totalRows: 7, books: [], errors: [], duplicates: 0)
        }
        try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
            let parameters = PreviewImport.Parameters(path: "/dev/null", fileName: "a.csv")
            for _ in 0..<2 { group.addTask { try await previews.answer(parameters) } }
            while previews.count < 2 { await Task.yield() }
            let refusal = await #expect(throws: RPCApplicationError.self) { try await previews.answer(parameters) }
            #expect(refusal?.detail.code == "SERVICE_UNAVAILABLE")
            #expect(refusal?.detail.retryAfterSeconds == 1)
            for _ in 0..<2 { gate.signal() }
            for try await answer in group {
                #expect(try BodyCoding.decode(ImportPreview.self, from: answer).totalRows == 7)
            }
        }
        #expect(previews.count == 0)
    }
}
