import BookstrackContract
import Foundation
import JSONRPC
import NIOCore
import Observability
import SuiteMethods

@testable import ProgressHost

/// A worker that a test controls.
final class TestWorker {
    let host: TestHost
    let link = RecordingLink()

    init(_ host: TestHost) throws {
        self.host = host
        _ = try attach()
    }

    @discardableResult
    func attach(holding held: [ItemKey] = []) throws -> [ItemKey] {
        try host.perform(writes: false) { [link] engine, turn in try engine.work.attach(link, held: held, turn) }
    }

    /// Claims first lookups, then later work, without waiting.
    func claim(limit: Int = 500, perJob: Int = 500) throws -> [ClaimedItem] {
        let first = try claim(limit: limit, perJob: perJob, of: .firstLookups)
        guard first.count < limit else { return first }
        return try first + claim(limit: limit - first.count, perJob: perJob, of: .later)
    }

    private func claim(limit: Int, perJob: Int, of scope: ClaimWork.Scope) throws -> [ClaimedItem] {
        let answer = ask(limit: limit, perJob: perJob, wait: .zero, scope: scope)
        if answer.count == 0 { host.advance(by: .zero) }
        return try answer.value().items
    }

    /// Sends a claim, which waits at the host, and returns its future response.
    func ask(
        limit: Int = 500, perJob: Int = 500, wait: Duration = .seconds(30), scope: ClaimWork.Scope = .firstLookups,
        isAwaited: @escaping @Sendable () -> Bool = { true }
    ) -> Answer<ClaimWork.Result> {
        let answer = Answer<ClaimWork.Result>()
        let parameters = ClaimWork.Parameters(
            limit: limit, perJob: perJob, waitMilliseconds: Int(wait.milliseconds),
            scope: scope)
        host.group([
            EngineCommand(
                durable: false, writes: true,
                run: { [link] engine, turn in
                    engine.work.claim(
                        parameters, from: link.id, turn, isAwaited: isAwaited, reply: { answer.give($0) })
                }, refuse: { answer.give(.failure($0)) })
        ])
        host.settle()
        return answer
    }

    /// Delivers outcomes in one call.
    func record(
        _ items: [ClaimedItem], error: ItemErrorCode? = nil, followUp: FollowUpRequest = .none,
        measure: ResultMeasure? = nil, reviewStatus: ReviewStatus = .verified
    ) throws {
        let work = try work(items, error, followUp, measure, reviewStatus)
        try host.perform { [link] engine, turn in try engine.record(work, from: link.id, turn) }
    }

    /// Delivers results in one group, without running the steps that the group schedules.
    func recordWithoutSteps(_ items: [ClaimedItem]) throws {
        let work = try work(items, nil, .none, nil, .verified)
        host.group([host.command { [link] engine, turn in try engine.record(work, from: link.id, turn) }.command])
    }

    private func work(
        _ items: [ClaimedItem], _ error: ItemErrorCode?, _ followUp: FollowUpRequest, _ measure: ResultMeasure?,
        _ reviewStatus: ReviewStatus
    ) throws -> RecordWork {
        let rows = try items.map { try BookRows.row($0, error: error, reviewStatus: reviewStatus) }
        let outcomes = zip(items, rows).map { item, row in
            var outcome = ItemOutcome(
                key: item.key, workClass: item.workClass, errorCode: error, title: item.query.displayTitle,
                followUp: followUp, rowLength: row.readableBytes)
            outcome.measure = measure
            return outcome
        }
        return RecordWork(outcomes: outcomes, rows: rows)
    }

    /// Delivers one outcome per call.
    func recordOneByOne(_ items: [ClaimedItem], error: ItemErrorCode? = nil) throws {
        for item in items { try record([item], error: error) }
    }

    /// Claims and delivers everything that can be claimed.
    func finishItems(error: ItemErrorCode? = nil) throws {
        while case let items = try claim(), !items.isEmpty { try record(items, error: error) }
    }

    func release(_ keys: [ItemKey]) throws {
        try host.perform(writes: false) { [link] engine, turn in
            try engine.work.release(keys, from: link.id, turn)
        }
    }

    func disconnect() throws {
        try host.perform(writes: false) { [link] engine, _ in engine.disconnected(link.id) }
    }
}

/// Result rows as a worker creates them.
enum BookRows {
    static func row(
        _ item: ClaimedItem, error: ItemErrorCode?, reviewStatus: ReviewStatus = .verified
    ) throws -> ByteBuffer {
        var book = EnrichedBook(asked: item.query, success: error == nil)
        if let error {
            book.error = "It did not work"
            book.errorCode = error
            book.retryable = error.isRetryable
        } else {
            book.matchedBy = .title
            var work = WorkDTO(title: item.query.displayTitle, reviewStatus: reviewStatus)
            // Each follow-up adds a fact.
            if item.workClass == .followUp { work.subjectTags = (0...item.attempts).map { "Fact \($0)" } }
            book.enriched = EnrichedMetadata(work: work, edition: nil, authors: [])
        }
        return try BodyCoding.encode(book)
    }

    static func decode(_ text: String) throws -> [EnrichedBook] {
        try JSONDecoder().decode([EnrichedBook].self, from: Data(text.utf8))
    }
}
