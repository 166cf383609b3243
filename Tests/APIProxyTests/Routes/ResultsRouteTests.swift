import BookstrackContract
import JSONRPC
import NIOCore
import NIOPosix
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("Reading results") struct ResultsRouteTests {
    private static let path = "/v1/jobs/job-12345/results"
    private static let rows = (0..<3).map { [#"{"isbn":"\#($0)","success":true}"#] }

    private func proxy(
        failing failures: [Int: [RPCError]], _ body: (RunningProxy) async throws -> Void
    ) async throws {
        try await RunningProxy.run(script: .init(rows: Self.rows, pageFailures: failures), { _ in }, body)
    }

    @Test("if progress-host is too busy to return the first page, the response is a 503 with Retry-After")
    func overloaded() async throws {
        try await proxy(failing: [0: [.overloaded]]) { proxy in
            let answer = try await proxy.request("GET", Self.path)
            #expect(answer.status == 503)
            #expect(answer["retry-after"] != nil)
            #expect(try answer.failure.retryable)
        }
    }

    @Test(
        "the resultsKey of results that do not exist begins with the kind of results that the route returns",
        arguments: [
            ("/v1/scan/results/job-12345", "scan-results:job-12345"),
            ("/v1/csv/results/job-12345", "csv-results:job-12345"),
            ("/v1/csv/results/job-12345?format=csv", "csv-results:job-12345"),
            ("/v1/enrichment/results/job-12345", "job-results:job-12345"),
            ("/v1/jobs/job-12345/results", "job-results:job-12345"),
        ])
    func missing(path: String, key: String) async throws {
        let details = try BodyCoding.encode(["jobId": "job-12345", "resultsKey": "job-results:job-12345"])
        let missing = RPCApplicationError(code: "NOT_FOUND", message: "Results not found", details: details)
        try await RunningProxy.run(script: .init(failure: missing)) { proxy in
            let answer = try await proxy.request("GET", path)
            #expect(answer.status == 404)
            #expect(try answer.failure.details == ["jobId": "job-12345", "resultsKey": .text(key)])
            #expect(try answer.failure.message == "Results not found")
        }
    }

    @Test("a later page that is temporarily refused is retried", arguments: [1, 3])
    func passes(refusals: Int) async throws {
        try await proxy(failing: [1: Array(repeating: .overloaded, count: refusals)]) { proxy in
            let answer = try await proxy.request("GET", Self.path)
            #expect(try answer.decode(SuccessEnvelope<EnrichmentResults>.self).data.enrichedBooks.count == 3)
        }
    }

    @Test("a response with status 200 whose rows cannot be completed ends without its last chunk")
    func brokenOff() async throws {
        let gone = RPCError(.remote(code: -32000, message: "gone", data: RPCErrorDetail(code: "NOT_FOUND")))
        try await proxy(failing: [2: [gone]]) { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send("GET \(Self.path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let bytes = try await connection.readToEnd()
            await connection.close()
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 200"))
            #expect(text.contains(#""isbn":"1""#))
            #expect(!text.contains(#"]}"#))
            #expect(!text.hasSuffix("0\r\n\r\n"))
            #expect(throws: HTTPAnswer.Malformed.self) { try HTTPAnswer(bytes) }
        }
    }

    @Test("an HTTP/1.0 client receives many pages without chunking, and the connection's end marks the end of the body")
    func oldClient() async throws {
        try await proxy(failing: [:]) { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send("GET \(Self.path) HTTP/1.0\r\n\r\n")
            let answer = try HTTPAnswer(try await connection.readToEnd())
            await connection.close()
            #expect(answer["transfer-encoding"] == nil)
            #expect(try answer.decode(SuccessEnvelope<EnrichmentResults>.self).data.enrichedBooks.count == 3)
        }
    }

    @Test(
        "a client that disconnects while its request waits for a permit gives up the wait", .timeLimit(.minutes(1)),
        arguments: [path, "/v1/jobs/job-12345/insights"])
    func disconnectedWhileWaiting(path: String) async throws {
        try await proxy(failing: [:]) { proxy in
            let readings = proxy.services.readings
            let client = ClientNetwork(try #require(ClientAddress("127.0.0.1")))
            let eventLoop = proxy.listener.eventLoop
            var permits: [ReadingPermit] = []
            for _ in 0..<ReadingQueue.Limits().runningPerClient {
                permits.append(try await readings.permit(for: client, on: eventLoop))
            }
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await until { readings.counts.waiting > 0 }
            let start = ContinuousClock.now
            await connection.close()
            try await until { readings.counts.waiting == 0 }
            // A wait that is not given up is refused after the limit.
            #expect(ContinuousClock.now - start < ReadingQueue.Limits().timeout - .seconds(1))
            withExtendedLifetime(permits) {}
        }
    }

    @Test("every read, including a HEAD request, releases its permit")
    func permits() async throws {
        try await proxy(failing: [:]) { proxy in
            for method in ["GET", "HEAD", "GET"] {
                let answer = try await proxy.request(method, Self.path)
                #expect(answer.status == 200)
            }
            #expect(proxy.services.readings.counts.running == 0)
        }
    }
}

@Suite("The limit on concurrent result reads") struct ReadingLimiterTests {
    private static let loop = MultiThreadedEventLoopGroup.singleton.any()

    private func client(_ number: Int) throws -> ClientNetwork {
        ClientNetwork(try #require(ClientAddress("192.0.2.\(number)")))
    }

    @Test("reads start in the order of their arrival, up to the limit")
    func order() throws {
        var queue = ReadingQueue(.init(running: 2, runningPerClient: 2, waiting: 2))
        let client = try client(1)
        let tickets = (0..<5).map { _ in queue.nextTicket() }
        let entries = tickets.map { queue.enter(client, $0) }
        #expect(entries == [.runs, .runs, .waits, .waits, .refused])
        let third = queue.leave(client)
        #expect(third == tickets[2])
        let fourth = queue.leave(client)
        #expect(fourth == tickets[3])
        let nobody = queue.leave(client)
        #expect(nobody == nil)
        #expect(queue.counts.running == 1)
    }

    @Test("a client with all its permits in use waits, and another client's read starts")
    func perClient() throws {
        var queue = ReadingQueue(.init(running: 3, runningPerClient: 1, waiting: 4))
        let (first, second) = (try client(1), try client(2))
        let tickets = (0..<4).map { _ in queue.nextTicket() }
        let runs = queue.enter(first, tickets[0])
        #expect(runs == .runs)
        let waits = queue.enter(first, tickets[1])
        #expect(waits == .waits)
        let othersRuns = queue.enter(second, tickets[2])
        #expect(othersRuns == .runs)
        let othersWaits = queue.enter(second, tickets[3])
        #expect(othersWaits == .waits)
        let othersNext = queue.leave(second)
        #expect(othersNext == tickets[3])
        let next = queue.leave(first)
        #expect(next == tickets[1])
    }

    @Test("a read that was abandoned while waiting is not started")
    func givesUp() throws {
        var queue = ReadingQueue(.init(running: 1, runningPerClient: 1, waiting: 4))
        let client = try client(1)
        let tickets = (0..<3).map { _ in queue.nextTicket() }
        for ticket in tickets { _ = queue.enter(client, ticket) }
        let hasWaited = queue.giveUp(tickets[1])
        #expect(hasWaited)
        let stillWaited = queue.giveUp(tickets[1])
        #expect(!stillWaited)
        let next = queue.leave(client)
        #expect(next == tickets[2])
    }

    /// A read that has requested a permit, and the outcome of the request.
    private final class Reading: Sendable {
        private let outcomes = Inbox<ReadingLimiter.Outcome>()
        private let ticket: ReadingLimiter.Ticket?

        init(_ limiter: ReadingLimiter, _ client: ClientNetwork) {
            ticket = limiter.enter(client, on: ReadingLimiterTests.loop) { [outcomes] in outcomes.append($0) }
        }

        func permit() async throws -> ReadingPermit { try await outcomes.take().get() }

        func giveUp(_ limiter: ReadingLimiter) { if let ticket { limiter.giveUp(ticket) } }
    }

    @Test("a waiting reader receives the next released permit")
    func permit() async throws {
        let limiter = ReadingLimiter(.init(running: 1, runningPerClient: 1, waiting: 4)) { false }
        let client = try client(1)
        var permit: ReadingPermit? = try await Reading(limiter, client).permit()
        let second = Reading(limiter, client)
        #expect(limiter.counts == (1, 1))
        withExtendedLifetime(permit) {}
        permit = nil
        withExtendedLifetime(try await second.permit()) { #expect(limiter.counts == (1, 0)) }
    }

    @Test("a wait that takes too long ends with a 503 and Retry-After")
    func timeout() async throws {
        let limiter = ReadingLimiter(
            .init(running: 1, runningPerClient: 1, waiting: 1, timeout: .milliseconds(50))
        ) { false }
        let client = try client(1)
        let permit = try await Reading(limiter, client).permit()
        let second = Reading(limiter, client)
        await #expect(throws: APIFailure.tooManyReadings) { try await second.permit() }
        #expect(APIFailure.tooManyReadings.code.status == 503)
        #expect(APIFailure.tooManyReadings.retryAfter != nil)
        withExtendedLifetime(permit) { #expect(limiter.counts == (1, 0)) }
    }

    @Test("a read is refused immediately if the queue is full")
    func noRoomToWait() async throws {
        let limiter = ReadingLimiter(.init(running: 1, runningPerClient: 1, waiting: 1)) { false }
        let client = try client(1)
        let permit = try await Reading(limiter, client).permit()
        let waiting = Reading(limiter, client)
        let refused = Reading(limiter, client)
        await #expect(throws: APIFailure.tooManyReadings) { try await refused.permit() }
        waiting.giveUp(limiter)
        withExtendedLifetime(permit) { #expect(limiter.counts == (1, 0)) }
    }

    /// The pace of a client that takes 19 s for each page.
    private var trickle: ReadingPace {
        var pace = ReadingPace()
        for _ in 0..<10 { pace.add(64 << 10, in: .seconds(19)) }
        return pace
    }

    @Test("if slow readers hold all permits, one of them must end for a waiting reader, and the others may finish")
    func slowReaders() async throws {
        let limiter = ReadingLimiter(.init(running: 2, runningPerClient: 1, waiting: 4)) { false }
        var first: ReadingPermit? = try await Reading(limiter, client(1)).permit()
        let second = try await Reading(limiter, client(2)).permit()
        #expect(first?.mustEnd(trickle) == false)
        let waiting = try Reading(limiter, client(3))
        #expect(first?.mustEnd(trickle) == true)
        #expect(second.mustEnd(trickle))
        first = nil
        let third = try await waiting.permit()
        #expect(!second.mustEnd(trickle))
        withExtendedLifetime(third) { #expect(limiter.counts == (2, 0)) }
    }

    @Test("a slow reader may finish while others wait only for permits of another client's share")
    func sharesOfOthers() async throws {
        let limiter = ReadingLimiter(.init(running: 3, runningPerClient: 1, waiting: 4)) { false }
        let (first, second) = try (client(1), client(2))
        let permits = try await (Reading(limiter, first).permit(), Reading(limiter, second).permit())
        let waiting = Reading(limiter, second)
        #expect(!permits.0.mustEnd(trickle))
        #expect(permits.1.mustEnd(trickle))
        waiting.giveUp(limiter)
        #expect(!permits.1.mustEnd(trickle))
    }

    @Test("a reader at 32 KiB/s on average may finish, even if others wait")
    func expectedPace() async throws {
        let limiter = ReadingLimiter(.init(running: 1, runningPerClient: 1, waiting: 4)) { false }
        let permit = try await Reading(limiter, client(1)).permit()
        let waiting = try Reading(limiter, client(2))
        var empty = ReadingPace()
        for _ in 0..<100 { empty.add(0, in: .microseconds(50)) }
        #expect(!permit.mustEnd(empty))
        var pace = ReadingPace()
        pace.add(64 << 10, in: .seconds(2))
        #expect(!permit.mustEnd(pace))
        pace.add(64 << 10, in: .milliseconds(2_001))
        #expect(permit.mustEnd(pace))
        pace.add(64 << 10, in: .zero)
        #expect(!permit.mustEnd(pace))
        waiting.giveUp(limiter)
    }

    @Test("a reader that disconnects while waiting does not receive a permit")
    func leaves() async throws {
        let limiter = ReadingLimiter(.init(running: 1, runningPerClient: 1, waiting: 1)) { false }
        let client = try client(1)
        let permit = try await Reading(limiter, client).permit()
        Reading(limiter, client).giveUp(limiter)
        withExtendedLifetime(permit) { #expect(limiter.counts == (1, 0)) }
        let next = Reading(limiter, client)
        #expect(limiter.counts == (1, 1))
        next.giveUp(limiter)
    }

    @Test("a task that is cancelled while it waits for a permit leaves the queue", .timeLimit(.minutes(1)))
    func cancelled() async throws {
        let limiter = ReadingLimiter(.init(running: 1, runningPerClient: 1, waiting: 1)) { false }
        let client = try client(1)
        let permit = try await limiter.permit(for: client, on: Self.loop)
        let waiting = Task { try await limiter.permit(for: client, on: Self.loop) }
        try await until { limiter.counts.waiting > 0 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        withExtendedLifetime(permit) { #expect(limiter.counts == (1, 0)) }
    }
}

@Suite("Pacing result reads") struct PagePacerTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
    /// The longest time that is reserved for a page.
    private let pageTime = TimeAmount.nanoseconds(1_000_000_000 / Int64(PagePacer.pagesPerSecondWithFrames))
    /// How much less than ten seconds the pages for ten seconds may take: the burst and one page do not wait, and the pages' times are rounded.
    private var tolerance: TimeAmount { PagePacer.burst + pageTime + .milliseconds(1) }

    @Test("a read of only a few pages never waits", arguments: [true, false])
    func burst(withFrames: Bool) {
        var pacer = PagePacer()
        for _ in 0..<6 { #expect(pacer.reserve(at: start, withFrames: withFrames).delay == .zero) }
    }

    /// How long one reader takes for `pages` pages of `bytes` bytes each, if it requests each page once the previous one has arrived.
    private func time(of pages: Int, bytes: Int, withFrames: Bool) -> TimeAmount {
        var pacer = PagePacer()
        var now = start
        for _ in 0..<pages {
            let page = pacer.reserve(at: now, withFrames: withFrames)
            now = now + page.delay
            pacer.settle(page, bytes: bytes)
        }
        return now - start
    }

    @Test("all reads together stay within the rate of full pages", arguments: [true, false])
    func rate(withFrames: Bool) {
        let pagesOfTenSeconds = 10 * (withFrames ? PagePacer.pagesPerSecondWithFrames : PagePacer.pagesPerSecondAlone)
        let taken = time(of: pagesOfTenSeconds, bytes: ResultsPage.bytes, withFrames: withFrames)
        #expect(taken <= .seconds(10))
        #expect(taken >= .seconds(10) - tolerance)
    }

    @Test("a nearly empty page counts only as a request, which is a fraction of a full page", arguments: [true, false])
    func shortPages(withFrames: Bool) {
        let full = withFrames ? PagePacer.pagesPerSecondWithFrames : PagePacer.pagesPerSecondAlone
        let taken = time(of: 10 * full * Int(PagePacer.requestsPerFullPage), bytes: 0, withFrames: withFrames)
        #expect(taken <= .seconds(10))
        #expect(taken >= .seconds(10) - tolerance)
    }

    @Test("a page that is longer than a full one gives back nothing")
    func longPage() {
        var pacer = PagePacer()
        for _ in 0..<10 { pacer.settle(pacer.reserve(at: start, withFrames: true), bytes: 10 * ResultsPage.bytes) }
        #expect(pacer.reserve(at: start, withFrames: true).delay == pageTime * 10 - PagePacer.burst)
    }

    @Test("reads after an idle period are not faster than others")
    func idle() {
        var pacer = PagePacer()
        _ = pacer.reserve(at: start, withFrames: true)
        let later = start + .seconds(60)
        for _ in 0..<PagePacer.pagesPerSecondWithFrames { _ = pacer.reserve(at: later, withFrames: true) }
        let wait = pacer.reserve(at: later, withFrames: true).delay
        #expect(wait >= .seconds(1) - PagePacer.burst - pageTime)
        #expect(wait <= .seconds(1) - PagePacer.burst)
    }

    @Test("reads are slower while clients are receiving live frames")
    func frames() {
        var (watched, unwatched) = (PagePacer(), PagePacer())
        for _ in 0..<100 {
            _ = watched.reserve(at: start, withFrames: true)
            _ = unwatched.reserve(at: start, withFrames: false)
        }
        let slow = watched.reserve(at: start, withFrames: true).delay
        let fast = unwatched.reserve(at: start, withFrames: false).delay
        #expect(slow > fast * 4)
    }
}
