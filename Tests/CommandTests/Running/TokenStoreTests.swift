import BookstrackContract
import Foundation
import Testing

@testable import BookstrackCLI

@Suite("Kept tokens")
struct TokenStoreTests {
    private func withStore(_ body: (TokenStore) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/bookstrack-tokens-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(TokenStore(path: folder + "/state/tokens.json"))
    }

    private func entry(_ job: JobID, _ token: String) -> TokenStore.Entry {
        .init(jobId: job, token: token, url: "http://127.0.0.1:8787", startedAt: "2026-01-01T00:00:00Z")
    }

    @Test("a token is found again, the newest one of a job, and no other job's")
    func found() throws {
        try withStore { store in
            let (job, other) = (JobID.random(), JobID.random())
            #expect(try store.entry(of: job)?.token == nil)
            try store.keep(entry(job, "old"))
            try store.keep(entry(other, "x"))
            try store.keep(entry(job, "new"))
            #expect(try store.entry(of: job)?.token == "new")
            #expect(try store.entry(of: .random())?.token == nil)
        }
    }

    @Test("only the account itself can read the file and its folder")
    func permissions() throws {
        try withStore { store in
            try store.keep(entry(.random(), "t"))
            let folder = URL(filePath: store.path).deletingLastPathComponent().path
            let modes = try [store.path, folder].map {
                try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
            }
            #expect(modes == [0o600, 0o700])
        }
    }

    @Test("the oldest jobs are forgotten beyond the limit")
    func bounded() throws {
        try withStore { store in
            var store = store
            store.limit = 3
            let jobs = (0...3).map { _ in JobID.random() }
            for job in jobs { try store.keep(entry(job, "t")) }
            #expect(try store.entry(of: jobs[0])?.token == nil)
            #expect(try store.entry(of: jobs[1])?.token == "t")
        }
    }

    @Test("a damaged file is reported, not overwritten")
    func damaged() throws {
        try withStore { store in
            try store.keep(entry(.random(), "t"))
            try "{".write(toFile: store.path, atomically: true, encoding: .utf8)
            #expect(throws: CommandFailure.self) { try store.entry(of: .random()) }
            #expect(throws: CommandFailure.self) { try store.keep(entry(.random(), "t")) }
        }
    }

    @Test("a file that is there and cannot be read is not taken for an empty one")
    func unreadable() throws {
        try withStore { store in
            try FileManager.default.createDirectory(atPath: store.path, withIntermediateDirectories: true)
            #expect(throws: CommandFailure.self) { try store.entry(of: .random()) }
            #expect(throws: CommandFailure(.noInput, "cannot read \(store.path)")) {
                try store.keep(entry(.random(), "t"))
            }
        }
    }
}
