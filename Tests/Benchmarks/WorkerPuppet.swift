import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOCore
import NIOPosix
import SuiteMethods

/// A worker without providers: claims items from a real progress-host and records invented rows, at the benchmark's
/// pace.
struct WorkerPuppet {
    let client: RPCClient
    private let running: Task<Void, Never>

    /// Connects to the progress-host whose sockets are in `runtimeDirectory`.
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

    /// Starts a job of `count` items, and returns its token.
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

    /// Starts a job of `count` items, and records all of them.
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

    /// Claims every item of `jobs`, which must be all open jobs; returns the items of each job, in the order of `jobs`.
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

    /// Records a success for each item; returns once all of them are committed.
    func record(_ items: ArraySlice<ClaimedItem>) async throws {
        _ = try await client.callRaw(RecordWork.name, Self.work(items).raw(), deadline: RecordWork.deadline)
    }

    /// The call that records a success for each item.
    static func work(_ items: ArraySlice<ClaimedItem>) -> RecordWork {
        let outcomes = items.map {
            var outcome = ItemOutcome(
                key: $0.key, workClass: $0.workClass, errorCode: nil, title: $0.query.displayTitle,
                followUp: .none, rowLength: row.readableBytes)
            outcome.measure = measure
            return outcome
        }
        return RecordWork(outcomes: outcomes, rows: Array(repeating: row, count: outcomes.count))
    }

    /// The quality figures that are recorded with each row.
    private static let measure = {
        var measure = ResultMeasure()
        (measure.isByISBN, measure.isFound, measure.quality, measure.authors) = (true, true, 85, 1)
        measure[.openLibrary] = ProviderShare(
            isAsked: true, isAnswered: true, fields: BookFieldSet(BookField.allCases))
        measure[.googleBooks] = ProviderShare(isAsked: true, isAnswered: true)
        return measure
    }()

    /// A row of realistic size.
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

/// A worker's connection to progress-host that records one item per call and ignores the responses, on the clients'
/// loop.
// @unchecked Sendable: everything but the constants is only used on the loop.
final class OutcomeConnection: @unchecked Sendable {
    private let connection: ClientConnection
    private var lastID = 0
    /// For each job, the parts of a call before and after the item's index.
    private var calls: [JobID: (head: ByteBuffer, tail: ByteBuffer)] = [:]

    /// Connects to the progress-host whose sockets are in `runtimeDirectory`.
    init(runtimeDirectory: String, on loop: ClientLoop) async throws {
        let path = "\(runtimeDirectory)/\(ServiceInstance.progressHost.socketName)"
        connection = try await loop.submit { try loop.connect(toPath: path) }
    }

    /// Records a success.
    func record(_ item: ClaimedItem) {
        guard let call = call(item) else { return }
        lastID += 1
        let start = #"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(RecordWork.name)","deadlineMs":15000,"params":"#
        connection.write(start.utf8)
        connection.write(call.head.readableBytesView)
        connection.write(String(item.key.index).utf8)
        connection.write(call.tail.readableBytesView)
        connection.write("}\n".utf8)
    }

    /// The parameters of a call, without the item's index. A job's calls differ only in this index, so the rest is encoded
    /// once, which leaves the CPUs to the services.
    private func call(_ item: ClaimedItem) -> (head: ByteBuffer, tail: ByteBuffer)? {
        if let known = calls[item.key.jobId] { return known }
        let place = Array(#""index":"#.utf8)
        let raw = WorkerPuppet.work([item]).raw()
        guard let head = raw.readableBytesView.firstRange(of: place)?.upperBound else { return nil }
        let digits = raw.readableBytesView[head...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let call = (
            head: ByteBuffer(raw.readableBytesView[..<head]),
            tail: ByteBuffer(raw.readableBytesView[digits.endIndex...])
        )
        calls[item.key.jobId] = call
        return call
    }
}
