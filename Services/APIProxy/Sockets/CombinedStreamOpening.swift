import BookstrackContract
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Observability
import SuiteMethods

/// Asks progress-host whether each of several jobs may be watched, and begins the stream that carries those that may.
final class CombinedStreamOpening: LoopWork {
    /// Where the request specifies its jobs, or why it is refused.
    private enum Source {
        case query
        case body(HeldBody)
        case refused(APIFailure)
    }

    private let admission: WatcherAdmission
    private var source = Source.query
    private var exchange: LoopExchange?
    private var stream: CombinedEventStream?
    /// Number of jobs for which progress-host has not answered.
    private var unanswered = 0
    private var refusals: [(jobId: JobID, failure: APIFailure)] = []
    private var replays: [(jobId: JobID, seq: Int?)] = []

    /// For a request that specifies its jobs in the query.
    init(_ admission: WatcherAdmission) { self.admission = admission }

    /// For a request that specifies its jobs in the body.
    init(_ admission: WatcherAdmission, posting request: LoopRequest, _ bodies: JSONBodies) {
        self.admission = admission
        do throws(APIFailure) {
            try admission.checkOrigin(of: request.head, request.channel)
            let fields = HTTPFields(request.head.headers, splitCookie: false)
            source = .body(try bodies.held(fields, peer: request.channel.remoteAddress))
        } catch {
            source = .refused(error)
        }
    }

    var takesBody: Bool { if case .body = source { true } else { false } }

    func take(_ part: ByteBuffer) throws(APIFailure) {
        guard case .body(var body) = source else { return }
        // Leaves `body` as the only reference to the bytes, so that they are not copied.
        source = .query
        defer { source = .body(body) }
        try body.append(part)
    }

    func start(_ exchange: LoopExchange) {
        self.exchange = exchange
        do throws(APIFailure) {
            try open(selection(exchange.head).jobs, exchange)
        } catch {
            refuse(error)
        }
    }

    private func selection(_ head: HTTPRequestHead) throws(APIFailure) -> JobSelection {
        switch source {
        case .query: return try JobSelection(query: head)
        case .body(let body):
            defer { giveBack() }
            return try JobSelection(body: body.bytes, head)
        case .refused(let failure): throw failure
        }
    }

    private func giveBack() {
        guard case .body(let body) = source else { return }
        body.giveBack()
        source = .query
    }

    private func open(_ jobs: [JobSelection.Job], _ exchange: LoopExchange) throws(APIFailure) {
        guard !exchange.isStopping else { throw .restarting }
        unanswered = jobs.count
        for job in jobs {
            // A refusal that concerns all jobs may already have arrived.
            guard self.exchange != nil else { return }
            let member = try admission.enter(job: job.jobId, exchange.head, exchange.channel) { id, permit, shard in
                let stream = self.stream ?? CombinedEventStream(exchange, shard)
                self.stream = stream
                return MultiplexedJob(
                    id: id, request: job.socketRequest, permit: permit, shard: shard, multiplexer: stream)
            }
            stream?.add(member)
            Activity.$current.withValue(exchange.activity) {
                admission.ask(job.socketRequest, for: member, on: exchange.eventLoop) { [weak self] in
                    self?.answered($0, member)
                }
            }
        }
    }

    private func answered(_ outcome: Result<OpenSocket.Result, APIFailure>, _ member: MultiplexedJob) {
        guard let stream, exchange != nil, member.state.phase != .closed else { return }
        switch outcome {
        case .success(let result) where result.isOver == true:
            member.end()
            stream.leave(member)
        case .success(let result):
            if let seq = result.replaysAfter { replays.append((member.request.jobId, seq)) }
        case .failure(let failure) where failure.concernsJob:
            member.end()
            stream.remove(member)
            refusals.append((member.request.jobId, failure))
        case .failure(let failure): return refuse(failure)
        }
        unanswered -= 1
        if unanswered == 0 { begin(stream) }
    }

    private func begin(_ stream: CombinedEventStream) {
        guard let exchange else { return }
        if !stream.members.isEmpty {
            guard !exchange.hasClientEnded else { return exchange.abandon() }
            let position = JobSelection.position(replays)
            let notices = refusals.map { WatchNotice(.refused, $0.jobId, code: $0.failure.code) }
            self.exchange = nil
            let began = stream.begin(
                position.isEmpty ? [:] : [EventStreamRequest.lastEventID: position], notices: notices)
            if !began { abandon() }
        } else if let refusal = refusals.first {
            refuse(refusal.failure)
        } else {
            // The client has received everything (``EventStreamOpening``).
            abandon()
            exchange.answer(.noContent, [.cacheControl: "no-store"], ByteBuffer())
        }
    }

    private func refuse(_ failure: APIFailure) {
        admission.hub.metrics.streams.streamRefused(failure.code)
        let exchange = exchange
        abandon()
        exchange?.fail(failure)
    }

    private func abandon() {
        giveBack()
        stream?.abandon()
        (stream, exchange) = (nil, nil)
    }
}

extension APIFailure {
    /// Whether the failure concerns only one job, so that the others may still be watched.
    var concernsJob: Bool { code == .unauthorized || code == .tokenExpired || code == .notFound }
}

// MARK: The connection

extension CombinedStreamOpening {
    func cancel() { abandon() }

    func clientReads() {
        for member in stream?.members ?? [] { member.drain() }
    }

    func inputClosed() { stream?.channel?.close(promise: nil) }

    func serverStops() {
        guard exchange == nil else { return refuse(.restarting) }
        stream?.closeForRestart()
    }
}
