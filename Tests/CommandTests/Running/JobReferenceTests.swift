import BookstrackContract
import Testing

@testable import BookstrackCLI

@Suite("Jobs as users name them")
struct JobReferenceTests {
    private static let first = "f692dc5d-6a3e-4b0e-9c1f-0123456789ab"
    private static let second = "f692dc5d-7b4f-4b0e-9c1f-0123456789ab"
    private static let other = "0b0c3f6e-58a6-4a0b-9b0e-3f5d1f2f7a10"

    /// Resolves a name where this account has started `own`, and the services know `all`; nil when they cannot be asked.
    private func job(_ text: String, own: [String] = [], all: [String]? = nil) async throws -> String {
        let reference = JobReference(argument: text)
        let ids = { @Sendable (texts: [String], prefix: String) in
            texts.filter { $0.hasPrefix(prefix) }.compactMap { JobID($0) }
        }
        return try await reference.job(
            in: .init(own: { ids(own, $0) }, all: { prefix in all.map { ids($0, prefix) } })
        ).text
    }

    @Test("the first eight characters are enough, of a job of this account and of any that the services know")
    func prefix() async throws {
        #expect(try await job("f692dc5d", own: [Self.first, Self.other]) == Self.first)
        #expect(try await job("0b0c3f6e-58", all: [Self.first, Self.other]) == Self.other)
        #expect(try await job("f692dc5d", own: [Self.first], all: [Self.first]) == Self.first)
    }

    @Test("of several candidates none is taken; they are listed")
    func ambiguous() async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await job("f692dc5d", own: [Self.first], all: [Self.first, Self.second])
        }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains(Self.first) == true)
        #expect(failure?.message.contains(Self.second) == true)
    }

    @Test("a job that the services do not know does not exist")
    func unknown() async throws {
        let failure = await #expect(throws: CommandFailure.self) { try await job("4e97b11b", all: [Self.first]) }
        #expect(failure?.status == .noInput)
        #expect(failure?.message.contains("there is no job 4e97b11b") == true)
    }

    @Test("a whole identifier is taken as it is, and any name where nobody knows all jobs")
    func whole() async throws {
        #expect(try await job(Self.other, all: [Self.first]) == Self.other)
        #expect(try await job("my-shelf-1", own: ["my-shelf-1", "my-shelf-10"]) == "my-shelf-1")
        #expect(try await job("elsewhere") == "elsewhere")
        #expect(try await job("test", all: []) == "test")
    }

    @Test("what cannot be a job is refused with what can", arguments: ["a b", "abc", ""])
    func refused(text: String) async throws {
        let failure = await #expect(throws: CommandFailure.self) { try await job(text, own: [Self.first], all: []) }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains("at least its first 8 characters") == true)
    }
}
