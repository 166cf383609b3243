import BookstrackContract
import Foundation
import Testing

@testable import BookstrackCLI

@Suite("An unfinished list of books")
final class BookSubmissionTests {
    private let root = FileManager.default.temporaryDirectory.appending(path: "bookstrack-lists-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: root) }

    /// A list of four books in two jobs.
    private func list(to address: String = "http://h:1") throws -> BookSubmission {
        try BookSubmission(
            (0..<4).map { BookQuery(title: "\($0)") }, to: try ServerAddress(address), size: 2,
            in: root, warn: { _ in })
    }

    @Test("a list that is resumed by its name goes to the server that it was submitted to")
    func resumedAddress() throws {
        let address = "https://books.example/api"
        var list = try list(to: address)
        try list.splitUnstarted(size: 1)
        list.endSubmission()
        let resumed = try BookSubmission(resuming: list.id, in: root)
        #expect(try resumed.address == ServerAddress(address))
        #expect(resumed.batches == list.batches)
    }

    @Test("two runs can submit the same list only one after the other")
    func twoRuns() throws {
        let first = try list()
        let again = #expect(throws: CommandFailure.self) { try self.list() }
        #expect(again?.status == .tryLater)
        let resumed = #expect(throws: CommandFailure.self) { try BookSubmission(resuming: first.id, in: self.root) }
        #expect(resumed?.status == .tryLater)
        first.endSubmission()
        #expect(try list().batches == first.batches)
    }

    @Test("a list whose folder was being replaced when a run was killed keeps its jobs")
    func interruptedReplacement() throws {
        let list = try list()
        list.endSubmission()
        let folder = root.appending(path: list.id)
        try FileManager.default.moveItem(at: folder, to: folder.appendingPathExtension("new"))
        #expect(try self.list().batches == list.batches)
    }

    @Test("an incomplete replacement of a list is ignored")
    func incompleteReplacement() throws {
        let list = try list()
        list.endSubmission()
        let folder = root.appending(path: list.id)
        let fresh = folder.appendingPathExtension("new")
        try FileManager.default.moveItem(at: folder, to: fresh)
        try FileManager.default.removeItem(at: fresh.appending(path: "server"))
        #expect(try self.list().batches.map(\.job) != list.batches.map(\.job))
    }

    @Test("after a list was submitted completely, a replacement that a killed run left behind is not used")
    func leftReplacement() throws {
        var list = try list()
        let folder = root.appending(path: list.id)
        try FileManager.default.copyItem(at: folder, to: folder.appendingPathExtension("new"))
        for batch in list.batches { list.markStarted(batch.job) }
        list.endSubmission()
        #expect(try Set(self.list().batches.map(\.job)).isDisjoint(with: list.batches.map(\.job)))
    }

    @Test("the rest of a folder that a killed run was deleting is not taken for the list, and is deleted with the list")
    func interruptedRemoval() throws {
        var list = try list()
        let folder = root.appending(path: list.id)
        let rest = folder.appendingPathExtension("old")
        try FileManager.default.copyItem(at: folder, to: rest)
        try FileManager.default.removeItem(at: rest.appending(path: "server"))
        for batch in list.batches { list.markStarted(batch.job) }
        list.endSubmission()
        #expect(!FileManager.default.fileExists(atPath: rest.path))
        #expect(try Set(self.list().batches.map(\.job)).isDisjoint(with: list.batches.map(\.job)))
    }

    @Test("if smaller jobs cannot be saved, splitting the list fails and leaves it unchanged")
    func unsavedSmallerJobs() throws {
        var list = try list()
        let before = list.batches
        try FileManager.default.removeItem(at: root)
        try Data().write(to: root)
        let failure = #expect(throws: CommandFailure.self) { try list.splitUnstarted(size: 1) }
        #expect(failure?.status == .cannotWrite)
        #expect(failure?.message.hasSuffix(": Not a directory") == true)
        #expect(list.batches == before)
    }
}
