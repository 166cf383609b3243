import BookstrackContract
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import NIOPosix
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Limits on open sockets", .timeLimit(.minutes(1))) struct SocketLimiterTests {
    private func refusal(
        _ limits: SocketLimits, open: [(job: String?, client: String)], then last: (job: String?, client: String)
    ) throws -> APIFailure? {
        let limiter = SocketLimiter(limits: limits)
        for socket in open {
            _ = try limiter.enter(job: socket.job.map { try job($0) }, client: client("192.0.2.\(socket.client)"))
        }
        do {
            _ = try limiter.enter(job: last.job.map { try job($0) }, client: client("192.0.2.\(last.client)"))
            return nil
        } catch let failure as APIFailure {
            return failure
        }
    }

    @Test("a socket beyond the total limit is refused with a 503")
    func total() throws {
        let refusal = try refusal(
            .init(total: 2, perJob: 9, perAddress: 9), open: [("job-aaaa", "1"), ("job-bbbb", "2")],
            then: ("job-cccc", "3"))
        #expect(refusal?.code == .serviceUnavailable)
        #expect(refusal?.message == "Too many connections are open.")
        #expect(refusal?.retryAfter == 30)
    }

    @Test("a socket beyond a job's limit is refused with a 429")
    func perJob() throws {
        let refusal = try refusal(
            .init(total: 9, perJob: 2, perAddress: 9), open: [("job-aaaa", "1"), ("job-aaaa", "2")],
            then: ("job-aaaa", "3"))
        #expect(refusal?.code == .tooManyConnections)
        #expect(refusal?.message == "Too many connections are watching this job.")
        #expect(refusal?.retryAfter == 30)
    }

    @Test("a socket beyond an address's limit is refused with a 429")
    func perAddress() throws {
        let refusal = try refusal(
            .init(total: 9, perJob: 9, perAddress: 2), open: [("job-aaaa", "1"), ("job-bbbb", "1")],
            then: ("job-cccc", "1"))
        #expect(refusal?.code == .tooManyConnections)
        #expect(refusal?.message == "Too many connections from this address.")
    }

    @Test("a connection without a job of its own does not count toward any job's limit")
    func withoutJob() throws {
        let limits = SocketLimits(total: 9, perJob: 1, perAddress: 9)
        #expect(try refusal(limits, open: [(nil, "1"), (nil, "1")], then: (nil, "1")) == nil)
        #expect(try refusal(limits, open: [(nil, "1")], then: ("job-aaaa", "1")) == nil)
    }

    @Test("a socket that closes no longer counts toward the limits of its job and address or the total limit")
    func leaving() throws {
        let limiter = SocketLimiter(limits: .init(total: 1, perJob: 1, perAddress: 1))
        for _ in 0..<3 {
            let permit = try limiter.enter(job: job("job-aaaa"), client: client("192.0.2.1"))
            #expect(limiter.total == 1)
            limiter.leave(permit)
            #expect(limiter.total == 0)
        }
    }

    @Test("a socket that closes frees only its own permit for its job and address")
    func othersRemain() throws {
        let limiter = SocketLimiter(limits: .init(total: 3, perJob: 2, perAddress: 2))
        let first = try limiter.enter(job: job("job-aaaa"), client: client("192.0.2.1"))
        _ = try limiter.enter(job: job("job-aaaa"), client: client("192.0.2.2"))
        _ = try limiter.enter(job: job("job-bbbb"), client: client("192.0.2.1"))
        limiter.leave(first)
        _ = try limiter.enter(job: job("job-aaaa"), client: client("192.0.2.1"))
        #expect(limiter.total == 3)
        #expect(throws: APIFailure.self) { try limiter.enter(job: job("job-cccc"), client: client("192.0.2.3")) }
    }

    @Test("a refused socket does not count toward the limits")
    func refused() throws {
        let limiter = SocketLimiter(limits: .init(total: 9, perJob: 1, perAddress: 9))
        _ = try limiter.enter(job: job("job-aaaa"), client: client("192.0.2.1"))
        #expect(throws: APIFailure.self) { try limiter.enter(job: job("job-aaaa"), client: client("192.0.2.1")) }
        #expect(limiter.total == 1)
        #expect(limiter.figure.length == 1)
        #expect(limiter.figure.limit == 9)
    }

    @Test("if no sockets are open, a stop completes immediately")
    func empty() async {
        let limiter = SocketLimiter(limits: .init())
        await limiter.emptied(within: .hours(1), on: MultiThreadedEventLoopGroup.singleton.next())
        #expect(limiter.total == 0)
    }

    @Test("a stop waits until the last socket has closed")
    func emptied() async throws {
        let limiter = SocketLimiter(limits: .init())
        let permit = try limiter.enter(job: nil, client: client("192.0.2.1"))
        let order = NIOLockedValueBox<[String]>([])
        let stop = Task {
            await limiter.emptied(within: .hours(1), on: MultiThreadedEventLoopGroup.singleton.next())
            order.withLockedValue { $0.append("stopped") }
        }
        // A stop that did not wait would complete during these yields.
        for _ in 0..<100 { await Task.yield() }
        order.withLockedValue { $0.append("closed") }
        limiter.leave(permit)
        await stop.value
        #expect(order.withLockedValue { $0 } == ["closed", "stopped"])
    }
}
