import BookstrackContract
import JSONRPC
import NIOCore
import Observability
import ProviderClient
import SuiteMethods

/// Looks up claimed items, each in its own task, and passes their outcomes to the outbox.
struct ItemRunner: Sendable {
    /// Maximum size of a row in bytes; several rows must fit into one frame (Services/README.md "JSON-RPC").
    private static let maxRowBytes = 256 << 10

    let scheduler: QuestionScheduler
    let cache: ProviderCache
    let leased: LeasedItems
    let outbox: OutcomeOutbox
    let host: RPCClient
    let policy: WorkerPolicy
    let clock: any SuiteClock
    let tail: TailHub
    let metrics: WorkerMetrics

    /// Starts the lookups; the cache is read once for all of them.
    func start(_ items: [LeasedItem]) async {
        let subjects = items.map { LookupSubject($0.item) }
        let cached = await cache.answers(to: subjects.flatMap(\.questions))
        for (item, subject) in zip(items, subjects) {
            let activity = Activity(item.item.trace ?? TraceContext(), jobID: item.key.jobId.text)
            Activity.$current.withValue(activity) {
                leased.start(item) { await follow(activity, item) { await run(item, subject, cached) } }
            }
        }
    }

    /// Runs a lookup, then publishes its outcome to the tail.
    private func follow(_ activity: Activity, _ leased: LeasedItem, _ body: () async -> ItemEnding) async {
        let ending = await body()
        let step = TailSubject.Step(
            .lookedUp, index: leased.key.index, result: ending.result, code: ending.code?.rawValue)
        tail.publish(TailEntry(.job(step), of: activity, ending.isCancelled ? .canceled : .ok))
    }

    private func run(_ leased: LeasedItem, _ subject: LookupSubject, _ cached: CachedAnswers) async -> ItemEnding {
        let item = leased.item
        let asker = Asker(
            party: .job(item.key.jobId, client: item.client), workClass: item.workClass,
            isAlone: !leased.isLater && item.attempts > 0,
            cached: cached)
        let lookup = ItemLookup(
            scheduler: scheduler, asker: asker, clock: clock, deadline: clock.now.advanced(by: policy.itemDeadline),
            stage: leased.isLater ? .later : .first(maxExpectedWait: policy.maxExpectedWait))
        let start = clock.now
        let result =
            if let spine = item.spine { try? await SpineLookup(lookup: lookup, spine: spine).result() } else {
                try? await lookup.result(for: subject)
            }
        metrics.lookup(of: item.workClass, LookupOutcome(result), took: start.duration(to: clock.now))
        guard let result else {
            self.leased.remove([leased.id])
            return .withdrawn
        }
        if result.isOurDelay {
            release(leased)
            return .released
        }
        let row = ResultRow(item.query, subject, result)
        return finish(leased, row, lookup.sources, followUp(after: lookup, of: leased))
    }

    /// When to look up missing facts: soon, unless a follow-up or a retry has just received nothing new about the book.
    private func followUp(after lookup: ItemLookup, of leased: LeasedItem) -> FollowUpRequest {
        leased.isLater && !lookup.sources.includesFetched ? .later : .soon
    }

    private func finish(
        _ leased: LeasedItem, _ full: ResultRow, _ sources: LookupSources, _ followUp: FollowUpRequest
    ) -> ItemEnding {
        var (result, row) = full.encoded(within: Self.maxRowBytes)
        let spine = leased.item.spine.map { SpineRow(result.row, $0, of: leased.key.jobId) }
        if let spine { row = spine.encoded() }
        guard self.leased.finish(leased.id) else { return .withdrawn }
        var outcome = ItemOutcome(
            key: leased.key, workClass: leased.item.workClass, errorCode: result.row.errorCode, title: result.title,
            followUp: result.wantsFollowUp ? followUp : .none, rowLength: row.readableBytes)
        outcome.measure = result.measure(sources)
        cache.note(result.isbns)
        outcome.isVerified = spine?.isVerified
        outcome.identity = spine?.identity
        outbox.add(FinishedItem(id: leased.id, outcome: outcome, row: row))
        return .finished(outcome.errorCode)
    }

    /// Releases an item that was delayed by our own queue. The delay is not the book's fault, so the host hands out the item again as if it had not
    /// been attempted.
    private func release(_ leased: LeasedItem) {
        self.leased.remove([leased.id])
        Task { _ = try? await host.call(ReleaseWork.self, .init(items: [leased.key])) }
    }
}

extension LookupOutcome {
    /// - Parameter result: Nil if the lookup was withdrawn.
    fileprivate init(_ result: LookupResult?) {
        self =
            switch result {
            case .found: .found
            case .notFound: .missing
            case .invalid: .invalid
            case let result? where result.isOurDelay: .released
            case .unanswered: .unanswered
            case nil: .withdrawn
            }
    }
}

extension LookupResult {
    /// Whether the first provider was never queried because our own queue is long.
    fileprivate var isOurDelay: Bool {
        if case .unanswered(let failures) = self, case .call(_, .busy) = failures.first { true } else { false }
    }
}

/// How the work on a claimed item ended.
enum ItemEnding {
    /// The item has an outcome; the code is present if it failed.
    case finished(ItemErrorCode?)
    /// The item is returned to the host without an outcome.
    case released
    /// The host no longer needs the item, or the worker is stopping.
    case withdrawn

    var result: String {
        switch self {
        case .finished(nil): "succeeded"
        case .finished: "failed"
        case .released: "released"
        case .withdrawn: "withdrawn"
        }
    }

    var code: ItemErrorCode? { if case .finished(let code) = self { code } else { nil } }

    var isCancelled: Bool { if case .withdrawn = self { true } else { false } }
}
