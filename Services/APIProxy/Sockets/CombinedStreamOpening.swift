import BookstrackContract
import HTTPTypes
import NIOCore
import NIOHTTP1
import Observability
import SuiteMethods

/// Asks for each of several jobs whether it may be watched, and begins the stream that carries those that may.
final class CombinedStreamOpening: LoopWork {
    private let admission: WatcherAdmission
    private var exchange: LoopExchange?
    private var stream: CombinedEventStream?
    /// Jobs for which progress-host has not answered.
    private var unanswered = 0
    private var refusals: [(jobId: JobID, failure: APIFailure)] = []
    private var replays: [(jobId: JobID, seq: Int?)] = []

    init(_ admission: WatcherAdmission) { self.admission = admission }

    func start(_ exchange: LoopExchange) {
        self.exchange = exchange
        do throws(APIFailure) {
            try open(JobSelection(exchange.head).jobs, exchange)
        } catch {
            refuse(error)
        }
    }

    private func open(_ jobs: [JobSelection.Job], _ exchange: LoopExchange) throws(APIFailure) {
        guard !exchange.isStopping else { throw .restarting }
        unanswered = jobs.count
        for job in jobs {
            // A refusal that concerns all jobs may have come at once.
            guard self.exchange != nil else { return }
            // A missing token takes the same path as a wrong one, so that timing reveals nothing.
            let request = SocketRequest(
                jobId: job.jobId, token: job.token ?? "", reconnect: false, since: job.since, v1: false, isOneWay: true)
            let member = try admission.enter(job: job.jobId, exchange.head, exchange.channel) { id, place, shard in
                let stream = self.stream ?? CombinedEventStream(exchange, shard)
                self.stream = stream
                return StreamedJob(id: id, request: request, place: place, shard: shard, stream: stream)
            }
            stream?.add(member)
            Activity.$current.withValue(exchange.activity) {
                admission.ask(request, for: member, on: exchange.eventLoop) { [weak self] in
                    self?.answered($0, member)
                }
            }
        }
    }

    private func answered(_ outcome: Result<OpenSocket.Result, APIFailure>, _ member: StreamedJob) {
        guard let stream, exchange != nil, member.state.phase != .closed else { return }
        switch outcome {
        case .success(let result) where result.isOver == true:
            member.abandon()
            stream.leave(member)
        case .success(let result):
            if let seq = result.replaysAfter { replays.append((member.request.jobId, seq)) }
        case .failure(let failure) where failure.concernsJob:
            member.abandon()
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
            let position = JobSelection.position(replays)
            let notices = refusals.map {
                CombinedEventStream.Notice(.refused, $0.jobId, code: $0.failure.code)
            }
            self.exchange = nil
            let began = stream.begin(
                position.isEmpty ? [:] : [EventStreamRequest.lastEventID: position], notices: notices)
            if !began { abandon() }
        } else if let refusal = refusals.first {
            refuse(refusal.failure)
        } else {
            // The client has everything (``EventStreamOpening``).
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
        stream?.abandon()
        (stream, exchange) = (nil, nil)
    }
}

extension APIFailure {
    /// Whether another job may be watched nevertheless.
    fileprivate var concernsJob: Bool { code == .unauthorized || code == .tokenExpired || code == .notFound }
}

// MARK: The connection

extension CombinedStreamOpening {
    func cancel() { abandon() }

    func clientReads() {
        for member in stream?.members ?? [] { member.drain() }
    }

    func inputClosed() { stream?.body.channel?.close(promise: nil) }

    func serverStops() {
        guard exchange == nil else { return refuse(.restarting) }
        for member in stream?.members ?? [] { member.closeForRestart() }
    }
}
