import BookstrackContract
import Foundation
import Testing
@testable import BookstrackCLI

@Suite("Saved tokens")
struct SavedTokensTests {
    private func withStore(_ body: (SavedTokens) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/bookstrack-tokens-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(SavedTokens(path: folder + "/state/tokens.json"))
    }

    private func entry(_ job: JobID, _ token: String) -> SavedTokens.Entry {
        .init(jobId: job, token: token, url: "http://127.0.0.1:8787", startedAt: "2026-01-01T00:00:00Z")
    }

    @Test("the newest token of a job is found, and never another job's token")
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

    @Test("only the user can read the token file and its folder")
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

    @Test("if there are more jobs than the limit, the oldest ones are removed")
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

    @Test("a damaged token file is reported when a token is read or saved")
    func damaged() throws {
        try withStore { store in
            try store.keep(entry(.random(), "t"))
            try "{".write(toFile: store.path, atomically: true, encoding: .utf8)
            #expect(throws: CommandFailure.self) { try store.entry(of: .random()) }
            #expect(throws: CommandFailure.self) { try store.keep(entry(.random(), "t")) }
        }
    }

    @Test("an unreadable token file is not treated as an empty one")
    func unreadable() throws {
        try withStore { store in
            try FileManager.default.createDirectory(atPath: store.path, withIntermediateDirectories: true)
            #expect(throws: CommandFailure.self) { try store.entry(of: .random()) }
            #expect(throws: CommandFailure(.noInput, "cannot read \(store.path)")) {
                try store.keep(entry(.random(), "t"))
            }
        }
    }

    @Test("a token that cannot be saved is reported as a file that cannot be written")
    func unwritable() throws {
        let nowhere = SavedTokens(path: "/dev/null/state/tokens.json")
        let reason = "cannot create the folder /dev/null/state for job tokens"
        #expect(throws: CommandFailure(.cannotWrite, reason)) { try nowhere.keep(entry(.random(), "t")) }
        try withStore { store in
            let lock = store.path + ".lock"
            try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: true)
            #expect(throws: CommandFailure(.cannotWrite, "cannot lock \(store.path)")) {
                try store.keep(entry(.random(), "t"))
            }
        }
    }
}

@Suite("Job references")
struct JobReferenceTests {
    private static let first = "f692dc5d-6a3e-4b0e-9c1f-0123456789ab"
    private static let second = "f692dc5d-7b4f-4b0e-9c1f-0123456789ab"
    private static let other = "0b0c3f6e-58a6-4a0b-9b0e-3f5d1f2f7a10"

    /// Resolves a reference for a user who has started the jobs `own`, while the services know the jobs `all`; `all` is nil
    /// if the services cannot be queried.
    private func job(_ text: String, own: [String] = [], all: [String]? = nil) async throws -> String {
        let reference = JobReference(argument: text)
        let ids = { @Sendable (texts: [String], prefix: String) in
            texts.filter { $0.hasPrefix(prefix) }.compactMap { JobID($0) }
        }
        return try await reference.job(
            in: .init(own: { ids(own, $0) }, all: { prefix in all.map { ids($0, prefix) } })
        ).text
    }

    @Test(
        "the first characters of an identifier are enough to select a job that this user started or that the services know"
    )
    func prefix() async throws {
        #expect(try await job("f692dc5d", own: [Self.first, Self.other]) == Self.first)
        #expect(try await job("0b0c3f6e-58", all: [Self.first, Self.other]) == Self.other)
        #expect(try await job("f692dc5d", own: [Self.first], all: [Self.first]) == Self.first)
    }

    @Test("if several jobs match, they are listed and none is selected")
    func ambiguous() async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await job("f692dc5d", own: [Self.first], all: [Self.first, Self.second])
        }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains(Self.first) == true)
        #expect(failure?.message.contains(Self.second) == true)
    }

    @Test("a job that is unknown to the services is reported as missing")
    func unknown() async throws {
        let failure = await #expect(throws: CommandFailure.self) { try await job("4e97b11b", all: [Self.first]) }
        #expect(failure?.status == .noInput)
        #expect(failure?.message.contains("there is no job 4e97b11b") == true)
    }

    @Test(
        "a complete identifier is used unchanged, and so is a name that is too short for a prefix or that cannot be checked"
    )
    func whole() async throws {
        #expect(try await job(Self.other, all: [Self.first]) == Self.other)
        #expect(try await job("my-shelf-1", own: ["my-shelf-1", "my-shelf-10"]) == "my-shelf-1")
        #expect(try await job("elsewhere") == "elsewhere")
        #expect(try await job("test", all: []) == "test")
    }

    @Test("an invalid reference is rejected with an explanation of the rule", arguments: ["a b", "abc", ""])
    func refused(text: String) async throws {
        let failure = await #expect(throws: CommandFailure.self) { try await job(text, own: [Self.first], all: []) }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains("at least its first 8 characters") == true)
    }
}
