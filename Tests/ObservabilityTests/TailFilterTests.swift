import HTTPTypes
import Logging
import Testing

@testable import Observability

@Suite("Tail filters and filtered events")
struct TailFilterTests {
    private static let line = LoggedLine(
        time: 5, level: .warning, message: "a provider failed", metadata: ["provider": "openlibrary"])

    private static func request(outcome: TailOutcome = .ok, lines: [LoggedLine] = [line]) -> TailEntry {
        let activity = Activity(TraceContext(), jobID: "job-1")
        for line in lines { activity.note(line) }
        return TailEntry(
            .request(
                .init(
                    method: "GET", target: "/v1/search/isbn?isbn=1", fields: { [.userAgent: "Librarian/3"] },
                    status: 200,
                    address: { "203.0.113.7" })), of: activity, outcome)
    }

    private static let step = TailEntry(.init(.accepted), job: "job-1", nil, at: 1)

    private func filter(_ change: (inout TailFilter) -> Void) -> TailFilter {
        var filter = TailFilter()
        change(&filter)
        return filter
    }

    @Test("a filter without criteria matches everything")
    func empty() {
        #expect(TailFilter().matches(Self.request()))
        #expect(TailFilter().matches(Self.step))
    }

    @Test("an entry matches a filter if, for every criterion, it has one of the criterion's values")
    func combination() {
        let either = filter { $0.outcomes = [.error, .ok] }
        #expect(either.matches(Self.request()))
        let both = filter {
            $0.outcomes = [.ok]
            $0.methods = ["post"]
        }
        #expect(!both.matches(Self.request()))
    }

    @Test("a filter matches RPC methods, and HTTP methods in any case")
    func methods() {
        #expect(filter { $0.methods = ["get"] }.matches(Self.request()))
        let call = TailEntry(
            .rpc(.init(method: "jobs.create", peerPID: 1, code: nil)), of: Activity(TraceContext()), .ok)
        #expect(filter { $0.methods = ["jobs.create"] }.matches(call))
        #expect(!filter { $0.methods = ["get"] }.matches(Self.step))
    }

    @Test("a filter matches a whole identifier, its first eight characters or, for requests, its last eight")
    func identifiers() throws {
        let trace = TraceContext()
        let id = trace.requestID
        let job = "f692dc5d-0000-4000-8000-000000000000"
        let entry = TailEntry(.init(.accepted), job: job, trace, at: 1)
        #expect(filter { $0.jobID = job }.matches(entry))
        #expect(filter { $0.jobID = "f692dc5d" }.matches(entry))
        #expect(!filter { $0.jobID = "f692dc5" }.matches(entry))
        #expect(!filter { $0.jobID = "f692dc5e" }.matches(entry))
        #expect(filter { $0.requestID = id }.matches(entry))
        #expect(filter { $0.requestID = String(id.prefix(8)) }.matches(entry))
        #expect(!filter { $0.requestID = String(id.prefix(7)) }.matches(entry))
        #expect(filter { $0.requestID = String(id.suffix(8)) }.matches(entry))
        #expect(!filter { $0.requestID = String(id.suffix(7)) }.matches(entry))
        #expect(!filter { $0.jobID = "00000000" }.matches(entry))
        #expect(!filter { $0.requestID = "nonesuch" }.matches(entry))
        #expect(!filter { $0.requestID = "nonesuch" }.matches(Self.step))
    }

    @Test("a filter matches header fields by name and by text within their value")
    func headers() {
        #expect(filter { $0.headers = [.init(name: "user-agent", value: nil)] }.matches(Self.request()))
        #expect(filter { $0.headers = [.init(name: "User-Agent", value: "librarian")] }.matches(Self.request()))
        #expect(!filter { $0.headers = [.init(name: "User-Agent", value: "curl")] }.matches(Self.request()))
        #expect(!filter { $0.headers = [.init(name: "X-Other", value: nil)] }.matches(Self.request()))
        #expect(!filter { $0.headers = [.init(name: "User-Agent", value: nil)] }.matches(Self.step))
    }

    @Test("a filter searches messages, metadata and exceptions")
    func search() {
        #expect(filter { $0.search = "PROVIDER FAILED" }.matches(Self.request()))
        #expect(filter { $0.search = "openlib" }.matches(Self.request()))
        #expect(!filter { $0.search = "gutenberg" }.matches(Self.request()))
        struct Spilled: Error {}
        let activity = Activity(TraceContext())
        activity.note(Spilled())
        let entry = TailEntry(.rpc(.init(method: "m", peerPID: 1, code: nil)), of: activity, .ok)
        #expect(filter { $0.search = "spilled" }.matches(entry))
        #expect(entry.outcome == .error)
    }

    @Test("a filter matches addresses, jobs and levels")
    func others() {
        #expect(filter { $0.addresses = ["203.0.113.7"] }.matches(Self.request()))
        #expect(!filter { $0.addresses = ["203.0.113.8"] }.matches(Self.request()))
        #expect(filter { $0.jobID = "job-1" }.matches(Self.step))
        #expect(!filter { $0.jobID = "job-2" }.matches(Self.request()))
        #expect(filter { $0.level = .warning }.matches(Self.request()))
        #expect(!filter { $0.level = .error }.matches(Self.request()))
        #expect(!filter { $0.level = .error }.matches(Self.step))
        #expect(filter { $0.level = .debug }.matches(Self.step))
        #expect(filter { $0.level = .error }.matches(Self.request(outcome: .error)))
    }

    @Test("a log line that belongs to no other event is matched by its own level")
    func looseLines() {
        let entry = TailEntry(LoggedLine(time: 6, level: .debug, message: "details", metadata: [:]))
        #expect(filter { $0.level = .debug }.matches(entry))
        #expect(!filter { $0.level = .info }.matches(entry))
    }

    @Test("a filter selects approximately the requested fraction of events")
    func sampling() {
        var random = SystemRandomNumberGenerator()
        let some = filter { $0.samplingRate = 0.25 }
        let shown = (0..<4_000).filter { _ in some.admits(Self.step, using: &random) }.count
        #expect((800...1_200).contains(shown))
    }

    @Test("a filter omits log lines below its level")
    func lines() {
        let debug = LoggedLine(time: 6, level: .debug, message: "details", metadata: [:])
        let event = TailEvent(Self.request(lines: [debug, Self.line]), level: .warning)
        #expect(event.logs.map(\.message) == ["a provider failed"])
    }

    @Test("a tail event does not contain the secrets in its request")
    func secrets() {
        let entry = TailEntry(
            .request(
                .init(
                    method: "GET", target: "/ws/progress?jobId=J&token=s3cret",
                    fields: { [.authorization: "Bearer s3cret"] },
                    status: 101, address: { nil })), of: Activity(TraceContext()), .ok)
        let text = String(describing: TailEvent(entry))
        #expect(text.contains("token=REDACTED"))
        #expect(!text.contains("s3cret"))
    }
}
