import BookstrackContract
import JSONRPC
import Logging
import NIOCore
import ProviderHTTP
import SuiteMethods

/// Looks claimed items up, each in a task of its own, and hands their outcomes to the outbox.
struct ItemRunner: Sendable {
    let desk: ProviderDesk
    let cache: ProviderCache
    let held: HeldWork
    let outbox: OutcomeOutbox
    let host: RPCClient
    let policy: WorkerPolicy
    let clock: any ProviderClock
    let logger: Logger

    /// Starts the look-ups; the cache is read once for all of them.
    func start(_ items: [HeldItem]) async {
        let subjects = items.map { LookupSubject($0.item.query) }
        let cached = await cache.answers(to: subjects.flatMap(\.questions))
        for (item, subject) in zip(items, subjects) {
            held.start(item) { await run(item, subject, cached) }
        }
    }

    private func run(_ held: HeldItem, _ subject: LookupSubject, _ cached: CachedAnswers) async {
        let item = held.item
        let asker = Asker(
            job: item.key.jobId, workClass: item.workClass, isAlone: !held.isLater && item.attempts > 0,
            cached: cached)
        let lookup = ItemLookup(
            desk: desk, asker: asker, clock: clock, deadline: clock.now.advanced(by: policy.itemDeadline),
            patience: held.isLater ? nil : policy.patience)
        guard let result = try? await lookup.result(for: subject) else { return self.held.remove([held.id]) }
        if item.workClass == .followUp, result.isOurDelay { return release(held) }
        finish(held, ResultRow(item.query, subject, result))
    }

    private func finish(_ held: HeldItem, _ result: ResultRow) {
        let row: ByteBuffer
        do {
            row = try BodyCoding.encode(result.row)
        } catch {
            logger.critical("a row does not encode", metadata: ["error": "\(error)"])
            return self.held.remove([held.id])
        }
        guard self.held.finish(held.id) else { return }
        let outcome = ItemOutcome(
            key: held.key, workClass: held.item.workClass, errorCode: result.row.errorCode, title: result.title,
            wantsFollowUp: result.wantsFollowUp, rowLength: row.readableBytes)
        outbox.add(FinishedItem(id: held.id, outcome: outcome, row: row))
    }

    /// A follow-up that our own queue delayed says nothing about the provider: the host hands it out again.
    private func release(_ held: HeldItem) {
        self.held.remove([held.id])
        Task { _ = try? await host.call(ReleaseWork.self, .init(items: [held.key])) }
    }
}

extension LookupResult {
    /// Whether only our own queue kept the answer away.
    fileprivate var isOurDelay: Bool {
        guard case .unanswered(let failures) = self else { return false }
        return failures.allSatisfy { failure in
            switch failure {
            case .tooLate, .call(_, .busy): true
            default: false
            }
        }
    }
}
