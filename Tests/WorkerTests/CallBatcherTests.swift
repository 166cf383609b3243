import BookIdentifiers
import BookMetadata
import BookstrackContract
import ProviderClient
import SuiteMethods
import Testing
@testable import EnrichmentWorker

/// A ``CallBatcher`` with numbered waiters. It is a class because `#expect` cannot call mutating methods of a struct.
private final class AskedQueue {
    private(set) var queue = CallBatcher(limits: CallLimits())
    private var lastWaiter: CallBatcher.Waiter = 0
    var now = MonotonicInstant(sinceStart: .zero)

    func ask(
        _ question: Question, party: CallParty, rank: CallRank, isAlone: Bool, deadline: MonotonicInstant
    ) -> (waiter: CallBatcher.Waiter, isFull: Bool) {
        lastWaiter += 1
        let isFull = queue.ask(
            question, waiter: lastWaiter, party: party, rank: rank, isAlone: isAlone, now: now,
            deadline: deadline)
        return (lastWaiter, isFull)
    }

    func nextCall(excluding excluded: ProviderName? = nil) -> ProviderCall? {
        queue.nextCall(now: now) { provider, _ in provider != excluded }
    }
    func leave(_ waiter: CallBatcher.Waiter) -> ProviderCall.ID? { queue.leave(waiter) }
    func finish(_ call: ProviderCall.ID) -> [CallBatcher.Waiter] { queue.finish(call).map(\.waiter) }
    func expire(now: MonotonicInstant) -> [CallBatcher.Waiter] { queue.expire(now: now).map(\.waiter) }
}

@Suite("The next provider call")
struct CallBatcherTests {
    private static let start = MonotonicInstant(sinceStart: .zero)
    private static let bulk = CallRank(workClass: .bulk, isAddition: false)
    private static let bulkAddition = CallRank(workClass: .bulk, isAddition: true)
    private static let interactive = CallRank(workClass: .interactive, isAddition: false)
    private static let followUp = CallRank(workClass: .followUp, isAddition: true)

    private let queue = AskedQueue()

    @discardableResult
    private func ask(
        _ question: Question, job: String = "job-one-1", client: String = "", rank: CallRank = bulk,
        isAlone: Bool = false,
        within limit: Duration = .seconds(90)
    ) throws -> CallBatcher.Waiter {
        let deadline = Self.start.advanced(by: limit)
        return queue.ask(
            question, party: .job(try #require(JobID(job)), client: client), rank: rank, isAlone: isAlone,
            deadline: deadline
        ).waiter
    }

    private static func isbn(_ index: Int) throws -> ISBN {
        try #require(ISBN(EmulatedProviders.isbns(index..<index + 1)[0]))
    }

    @Test("while a request is in flight, ISBNs of small jobs are gathered for at most 40 ms to share the next request")
    func shared() throws {
        for index in 0..<10 { try ask(.edition(Self.isbn(index)), job: "small-job-1") }
        #expect(queue.nextCall()?.questions.count == 10)
        for index in 10..<30 { try ask(.edition(Self.isbn(index)), job: "small-job-\(index / 10 + 1)") }
        #expect(queue.nextCall() == nil)
        for index in 30..<40 { try ask(.edition(Self.isbn(index)), job: "small-job-4") }
        let full = try #require(queue.nextCall())
        #expect(full.questions.count == 25)
        #expect(full.parties.count == 3)
        #expect(queue.nextCall() == nil)
        #expect(queue.queue.gatheringEnd(after: queue.now) == Self.start.advanced(by: .milliseconds(40)))
        queue.now = Self.start.advanced(by: .milliseconds(40))
        #expect(queue.nextCall()?.questions.count == 5)
    }

    @Test(
        "a question is sent immediately or, if a call of its kind is in flight, at the latest when that call ends"
    )
    func unshared() throws {
        let isbn = try Self.isbn(1)
        try ask(.edition(Self.isbn(0)), job: "small-job-1")
        let first = try #require(queue.nextCall())
        try ask(.edition(isbn), job: "small-job-2")
        try ask(.workFacts(isbn), job: "small-job-2", rank: Self.bulkAddition)
        #expect(queue.nextCall()?.questions == [.workFacts(isbn)])
        #expect(queue.nextCall() == nil)
        _ = queue.finish(first.id)
        #expect(queue.nextCall()?.questions == [.edition(isbn)])
    }

    @Test("100 jobs of ten books, 5 ms apart, need fewer than 50 requests, and no question waits longer than 50 ms")
    func smallJobs() throws {
        var (requests, longest, asked) = (0, Duration.zero, [Question: MonotonicInstant]())
        var underWay: [(id: ProviderCall.ID, end: MonotonicInstant)] = []
        for millisecond in 0..<700 {
            queue.now = Self.start.advanced(by: .milliseconds(millisecond))
            for call in underWay where call.end <= queue.now { _ = queue.finish(call.id) }
            underWay.removeAll { $0.end <= queue.now }
            if millisecond.isMultiple(of: 5), millisecond < 500 {
                for index in millisecond * 2..<millisecond * 2 + 10 {
                    let question = Question.edition(try Self.isbn(index))
                    asked[question] = queue.now
                    try ask(question, job: "small-job-\(millisecond)", client: "client-\(millisecond % 3)")
                }
            }
            while let call = queue.nextCall() {
                requests += 1
                underWay.append((call.id, queue.now.advanced(by: .milliseconds(50))))
                for question in call.questions {
                    longest = max(longest, asked.removeValue(forKey: question)?.duration(to: queue.now) ?? .zero)
                }
            }
        }
        #expect(asked.isEmpty)
        #expect(requests < 50)
        #expect(longest <= .milliseconds(50))
    }

    @Test("the works of 25 authors are counted in one request")
    func authorWorks() throws {
        for index in 1...30 { try ask(.worksOfAuthor("OL\(index)A"), rank: Self.followUp) }
        #expect(queue.nextCall()?.questions.count == 25)
        queue.now = Self.start.advanced(by: .milliseconds(40))
        #expect(queue.nextCall()?.questions.count == 5)
    }

    @Test("a client with ten jobs has as many questions in a shared request as a client with one job")
    func clients() throws {
        for job in 0..<10 {
            for index in 0..<10 {
                try ask(.edition(Self.isbn(job * 10 + index)), job: "busy-job-\(job)", client: "busy")
            }
        }
        for index in 100..<125 { try ask(.edition(Self.isbn(index)), job: "modest-job", client: "modest") }
        let modest = Set(try (100..<125).map { Question.edition(try Self.isbn($0)) })
        let first = try #require(queue.nextCall())
        #expect([12, 13].contains(first.questions.filter { modest.contains($0) }.count))
        #expect(first.client == nil)
    }

    @Test("a call belongs to the client of its question, or to no client if the question has none")
    func callClient() throws {
        try ask(.volumes(Self.isbn(0)), client: "busy")
        #expect(queue.nextCall()?.client == "busy")
        try ask(.volumes(Self.isbn(1)))
        #expect(try #require(queue.nextCall()).client == nil)
    }

    @Test("25 ISBNs share a request, and further ISBNs share the next one")
    func batches() throws {
        for index in 0..<30 { try ask(.edition(Self.isbn(index))) }
        #expect(queue.nextCall()?.questions.count == 25)
        queue.now = Self.start.advanced(by: .milliseconds(40))
        #expect(queue.nextCall()?.questions.count == 5)
        #expect(queue.nextCall() == nil)
    }

    @Test("a request is reported as full once it contains 25 questions")
    func fullness() throws {
        let job = try #require(JobID("job-one-1"))
        let isFull = try (0..<25).map { index in
            queue.ask(
                .edition(try Self.isbn(index)), party: .job(job, client: ""), rank: Self.bulk, isAlone: false,
                deadline: Self.start.advanced(by: .seconds(1))
            ).isFull
        }
        #expect(isFull == [Bool](repeating: false, count: 24) + [true])
    }

    @Test("jobs take turns filling a request")
    func turns() throws {
        for index in 0..<100 { try ask(.edition(Self.isbn(index)), job: "job-long-1") }
        for index in 100..<105 { try ask(.edition(Self.isbn(index)), job: "job-short-1") }
        let call = try #require(queue.nextCall())
        #expect(call.parties.count == 2)
        #expect(try Set(call.questions).isSuperset(of: (100..<105).map { .edition(try Self.isbn($0)) }))
    }

    @Test(
        "interactive questions come before bulk ones, which fill up the request; editions come before work facts, and follow-ups come last"
    )
    func ranks() throws {
        try ask(.workFacts(Self.isbn(0)), rank: Self.followUp)
        try ask(.workFacts(Self.isbn(1)), rank: Self.bulkAddition)
        try ask(.edition(Self.isbn(2)))
        try ask(.edition(Self.isbn(3)), job: "job-small-1", rank: Self.interactive)
        let editions = try #require(queue.nextCall())
        #expect(try editions.questions == [.edition(Self.isbn(3)), .edition(Self.isbn(2))])
        #expect(editions.rank == Self.interactive)
        let facts = try #require(queue.nextCall())
        #expect(try facts.questions == [.workFacts(Self.isbn(1)), .workFacts(Self.isbn(0))])
    }

    @Test("a question that several items share is sent once, and its answer is used for all of them")
    func sharing() throws {
        let isbn = try Self.isbn(0)
        let first = try ask(.edition(isbn))
        let call = try #require(queue.nextCall())
        let second = try ask(.edition(isbn), job: "job-two-2")
        #expect(queue.nextCall() == nil)
        #expect(Set(queue.finish(call.id)) == [first, second])
    }

    @Test("a large job's question is sent earlier if a small job also asks it")
    func promotion() throws {
        for index in 0..<60 { try ask(.edition(Self.isbn(index))) }
        try ask(.edition(Self.isbn(59)), job: "job-small-1", rank: Self.interactive)
        let first = try #require(queue.nextCall())
        #expect(try first.questions.contains(.edition(Self.isbn(59))))
        var others: [Question] = []
        while let call = queue.nextCall() { others += call.questions }
        #expect(try !others.contains(.edition(Self.isbn(59))))
    }

    @Test("a job has at most ten calls in flight, and does not delay another job")
    func perJob() throws {
        for index in 0..<20 { try ask(.volumes(Self.isbn(index))) }
        var calls: [ProviderCall] = []
        while let call = queue.nextCall() { calls.append(call) }
        #expect(calls.count == 10)
        try ask(.volumes(Self.isbn(30)), job: "job-two-2")
        #expect(queue.nextCall()?.parties == [.job(try #require(JobID("job-two-2")), client: "")])
        _ = queue.finish(calls[0].id)
        #expect(queue.nextCall() != nil)
        #expect(queue.nextCall() == nil)
    }

    @Test("a question that must be sent alone is not put into a shared request")
    func alone() throws {
        try ask(.edition(Self.isbn(0)), isAlone: true)
        try ask(.edition(Self.isbn(1)))
        try ask(.edition(Self.isbn(2)))
        var sizes: [Int] = []
        while let call = queue.nextCall() { sizes.append(call.questions.count) }
        #expect(sizes.sorted() == [1, 2])
    }

    @Test("a call is cancelled when its last waiter leaves, and a later waiter starts a new one")
    func leaving() throws {
        let (one, two) = (try ask(.edition(Self.isbn(0))), try ask(.edition(Self.isbn(1))))
        let call = try #require(queue.nextCall())
        #expect(queue.leave(one) == nil)
        #expect(queue.leave(two) == call.id)
        let later = try ask(.edition(Self.isbn(0)))
        #expect(queue.finish(call.id).isEmpty)
        let again = try #require(queue.nextCall())
        #expect(queue.finish(again.id) == [later])
    }

    @Test("a question that is withdrawn before its call is composed is not sent")
    func leavingEarly() throws {
        let waiter = try ask(.edition(Self.isbn(0)))
        #expect(queue.leave(waiter) == nil)
        #expect(queue.nextCall() == nil)
    }

    @Test("a waiter leaves when its deadline has passed, while the call continues for the others")
    func expiry() throws {
        let hasty = try ask(.edition(Self.isbn(0)), within: .seconds(1))
        let patient = try ask(.edition(Self.isbn(0)), within: .seconds(9))
        let call = try #require(queue.nextCall())
        #expect(call.deadline == Self.start.advanced(by: .seconds(9)))
        #expect(queue.expire(now: Self.start.advanced(by: .seconds(1))) == [hasty])
        #expect(queue.queue.nextDeadline == Self.start.advanced(by: .seconds(9)))
        #expect(queue.finish(call.id) == [patient])
    }

    @Test("titles take turns with another job's ISBNs")
    func kindsTakeTurns() throws {
        for index in 0..<100 { try ask(.edition(Self.isbn(index)), job: "job-long-1") }
        for title in ["Emma", "Dune"] {
            try ask(.works(try #require(TitleTerms(title: title, author: nil))), job: "job-short-1")
        }
        let kinds = (0..<4).compactMap { _ in queue.nextCall()?.kind.label }
        #expect(kinds == [.edition, .title, .edition, .title])
    }

    @Test("a provider that is temporarily excluded does not delay another provider")
    func excluded() throws {
        try ask(.edition(Self.isbn(0)))
        try ask(.volumes(Self.isbn(1)))
        #expect(queue.nextCall(excluding: .openLibrary)?.kind.provider == .googleBooks)
        #expect(queue.nextCall(excluding: .openLibrary) == nil)
        #expect(queue.queue.isAsked(.openLibrary))
        #expect(!queue.queue.isAsked(.googleBooks))
    }

    @Test(
        "the requests ahead of a question are the batches of waiting questions with the same or a higher rank")
    func requestsAhead() throws {
        for index in 0..<30 { try ask(.edition(Self.isbn(index))) }
        for index in 30..<40 { try ask(.workFacts(Self.isbn(index)), rank: Self.followUp) }
        #expect(queue.queue.requestsAhead(of: Self.bulkAddition, to: .openLibrary) == 2)
        #expect(queue.queue.requestsAhead(of: Self.followUp, to: .openLibrary) == 3)
        #expect(
            queue.queue.requestsAhead(of: CallRank(workClass: .interactive, isAddition: true), to: .openLibrary) == 0)
    }
}
