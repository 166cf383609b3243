import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOCore
import NIOPosix
import SuiteMethods

/// A worker without providers: claims from a real progress-host and records made-up rows, as fast or as slowly as a benchmark wants.
struct WorkerPuppet {
    let client: RPCClient
    private let running: Task<Void, Never>

    /// Connects to the host whose sockets are in `runtimeDirectory`.
    init(runtimeDirectory: String) async throws {
        var logger = Logger(label: "puppet")
        logger.logLevel = .error
        let client = RPCClient(
            path: "\(runtimeDirectory)/\(ServiceInstance.progressHost.socketName)", router: RPCRouter(),
            group: MultiThreadedEventLoopGroup.singleton, logger: logger,
            onConnect: { _ = try await $0.call(AttachWorker.self, AttachWorker.Parameters(held: [])) })
        self.client = client
        running = Task { await client.run() }
        try await client.waitUntilConnected(within: .seconds(10))
    }

    func disconnect() async {
        await client.shutdown()
        await running.value
    }

    /// Starts a job of `count` items; its token.
    func createJob(_ id: JobID, count: Int) async throws -> String {
        let items = (0..<count).map { BookQuery(title: "Book \($0)", author: "Author \($0)", isbn: "9780441478125") }
        let draft = try await client.call(
            BeginDraft.self,
            .init(jobId: id, pipeline: .batchEnrichment, digest: "bench", totalCount: count))
        for start in stride(from: 0, to: count, by: 1_000) {
            _ = try await client.call(
                AppendToDraft.self,
                .init(draftId: draft.draftId, items: Array(items[start..<min(start + 1_000, count)])))
        }
        return try await client.call(SubmitDraft.self, .init(draftId: draft.draftId)).token
    }

    /// Starts a job of `count` items and records all of them.
    func finishJob(count: Int) async throws -> JobID {
        let id = JobID.random()
        _ = try await createJob(id, count: count)
        var recorded = 0
        while recorded < count {
            let items = try await claim(limit: 500)
            try await record(items[...])
            recorded += items.count
        }
        return id
    }

    /// Claims every item of `jobs`, which are all that are open, in the order of the jobs.
    func claimAll(_ jobs: [JobID], count: Int) async throws -> [[ClaimedItem]] {
        var items: [JobID: [ClaimedItem]] = [:]
        var claimed = 0
        while claimed < count * jobs.count {
            let batch = try await claim(limit: 500, perJob: 10_000)
            claimed += batch.count
            for item in batch { items[item.key.jobId, default: []].append(item) }
        }
        return jobs.map { items[$0] ?? [] }
    }

    func claim(limit: Int, perJob: Int = 500, wait: Duration = .seconds(1)) async throws -> [ClaimedItem] {
        try await client.call(
            ClaimWork.self,
            .init(
                limit: limit, perJob: perJob,
                waitMilliseconds: Int(wait.components.seconds * 1_000), scope: .firstLookups)
        ).items
    }

    /// Records a success for each item; returns when all are committed.
    func record(_ items: ArraySlice<ClaimedItem>) async throws {
        _ = try await client.callRaw(RecordWork.name, try Self.work(items).raw(), deadline: RecordWork.deadline)
    }

    /// A success for each item.
    static func work(_ items: ArraySlice<ClaimedItem>) -> RecordWork {
        let outcomes = items.map {
            ItemOutcome(
                key: $0.key, workClass: $0.workClass, errorCode: nil, title: $0.query.displayTitle,
                followUp: .none, rowLength: row.readableBytes)
        }
        return RecordWork(outcomes: outcomes, rows: Array(repeating: row, count: outcomes.count))
    }

    /// A row of the size that real ones have.
    private static let row: ByteBuffer = {
        var book = EnrichedBook(
            asked: BookQuery(title: "The Left Hand of Darkness", author: "Ursula K. Le Guin", isbn: "9780441478125"),
            success: true)
        var work = WorkDTO(title: "The Left Hand of Darkness")
        work.description = String(repeating: "A lone envoy on a planet of winter. ", count: 20)
        work.subjectTags = ["Science Fiction", "Fiction", "Classics"]
        book.matchedBy = .isbn
        book.enriched = EnrichedMetadata(
            work: work, edition: EditionDTO(isbns: ["9780441478125", "0441478123"], format: .paperback),
            authors: [AuthorDTO(name: "Ursula K. Le Guin", openLibraryID: "OL31353A")])
        return (try? BodyCoding.encode(book)) ?? ByteBuffer(string: "{}")
    }()
}
