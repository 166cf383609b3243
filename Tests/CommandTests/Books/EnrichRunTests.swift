import BookstrackClient
import BookstrackContract
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOWebSocket
import TestSupport
import Testing

@testable import BookstrackCLI

@Suite("The enrich command")
final class EnrichRunTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "bookstrack-run-\(UUID().uuidString)")
    private var tokens: SavedTokens { SavedTokens(path: folder.appending(path: "tokens.json").path) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The result of a run, and its start requests in order: their jobs, and the books of each.
    private struct Run {
        var outcome: EnrichRun.Outcome
        var books: [EnrichedBook]
        var status: Int32
        var starts: [JobID]
        var sent: [[BookQuery]]
    }

    /// Serves starts, sockets and results of jobs in which only the first book is found. `onStart` receives the number of a start, counted from 0,
    /// and can respond instead; `onSocket` can end a socket's job differently.
    private func server(
        onStart: @escaping @Sendable (Int) -> ScriptedServer.Reaction? = { _ in nil },
        onSocket: @escaping @Sendable (Int, JobFrames) throws -> WebSocketFrame? = { _, _ in nil }
    ) -> ScriptedServer {
        let starts = NIOLockedValueBox(0)
        return ScriptedServer(
            react: { _, request in
                guard request.head.method == .POST else { return Self.results(request.head.uri) }
                let number = starts.withLockedValue { count in
                    defer { count += 1 }
                    return count
                }
                return onStart(number) ?? Self.started(request.body)
            },
            script: { number, head in
                guard let job = head.uri.split(separator: "=").last.flatMap({ JobID(String($0)) }) else { return nil }
                let frames = JobFrames(job: job, total: 2)
                let end = try? onSocket(number, frames) ?? frames.complete(seq: 3, found: 1, failed: 1)
                return .init(
                    greeting: [try? frames.started(seq: 1), try? frames.progress(seq: 2, found: 1)].compactMap { $0 },
                    replies: [[end, .close(1000)].compactMap { $0 }])
            })
    }

    /// Submits books, by default four in two jobs, and waits for their results; pauses take no time.
    private func run(
        _ server: ScriptedServer, port: Int? = nil, tokens: SavedTokens? = nil,
        books queries: [BookQuery] = (0..<4).map { BookQuery(title: "\($0)") }, batchSize: Int = 2
    ) async throws -> Run {
        var listening = port
        if listening == nil { listening = try await server.start() }
        // The list's name depends on this address and not on the server's port, so a run against another server resumes the list.
        let sample = try ServerAddress(host: "h", port: 1)
        let client = try BookstrackClient.loopback(
            port: listening ?? 0, tokens: RunTokens(tokens ?? self.tokens, at: sample) { _ in })
        let calls = RetryingCalls(pause: { _ in })
        let list = try BookSubmission(
            queries, to: sample, size: batchSize, in: folder.appending(path: "lists"), warn: { _ in })
        let run = EnrichRun(client: client, output: .lines, calls: calls)
        let outcome = await run.run(list)
        var report = ResultsReport(.csv, OutputStyle(width: 80, colors: false), write: { _ in })
        let books = NIOLockedValueBox<[EnrichedBook]>([])
        let reading = ResultsFetch(client: client, output: .lines, calls: calls)
        let jobs = try await reading.read(outcome.jobs, into: &report)
        for job in outcome.jobs {
            if let rows = try? await client.results(of: job.job) { books.withLockedValue { $0 += rows.enrichedBooks } }
        }
        if port == nil { await server.stop() }
        let starts = server.requests.filter { $0.head.method == .POST }.compactMap {
            try? JSONDecoder().decode(EnrichmentBatchRequest.self, from: Data(buffer: $0.body))
        }
        return Run(
            outcome: outcome, books: books.withLockedValue { $0 }, status: jobs.exitStatus.rawValue,
            starts: starts.compactMap(\.jobId), sent: starts.compactMap(\.books))
    }

    private static func started(_ body: ByteBuffer) -> ScriptedServer.Reaction {
        guard let request = try? JSONDecoder().decode(EnrichmentBatchRequest.self, from: Data(buffer: body)),
            let job = request.jobId, let count = request.books?.count
        else { return .drop }
        return .success(
            202,
            StartedJob(
                jobId: job, token: "T", status: .pending, totalCount: count, estimate: DurationEstimate(books: count)))
    }

    private static func results(_ path: String) -> ScriptedServer.Reaction {
        guard let job = path.split(separator: "/").last.flatMap({ JobID(String($0)) }) else { return .drop }
        var missing = EnrichedBook(asked: BookQuery(title: "B"), success: false)
        missing.errorCode = .notFound
        return .success(
            200,
            EnrichmentResults(
                jobId: job, resultsRevision: 1, expiresAt: "", successCount: 1, failureCount: 1,
                enrichedBooks: [EnrichedBook(asked: BookQuery(title: "A"), success: true), missing]))
    }

    private static func refusal(
        _ status: Int, _ code: APIErrorCode, _ details: [String: DetailValue] = [:], retryAfter: Int? = nil
    ) -> ScriptedServer.Reaction {
        let envelope = FailureEnvelope(
            error: .init(message: "no", code: code, details: details, retryable: true, statusCode: status),
            metadata: ResponseMetadata(timestamp: ""))
        guard let text = try? JSONEncoder().encode(envelope) else { return .drop }
        let fields: HTTPHeaders = retryAfter.map { ["Retry-After": "\($0)"] } ?? [:]
        return .answer(status, fields, [String(decoding: text, as: UTF8.self)])
    }

    @Test("every job is started before the first one is watched, and the results are in the order of the list")
    func handedOverFirst() async throws {
        let startsAtFirstSocket = NIOLockedValueBox<Int?>(nil)
        let starts = NIOLockedValueBox(0)
        let server = server(
            onStart: { number in
                starts.withLockedValue { $0 = number + 1 }
                return nil
            },
            onSocket: { _, _ in
                startsAtFirstSocket.withLockedValue { $0 = $0 ?? starts.withLockedValue { $0 } }
                return nil
            })
        let run = try await run(server)
        #expect(startsAtFirstSocket.withLockedValue { $0 } == 2)
        #expect(run.outcome.jobs.map(\.job) == run.starts)
        #expect(run.books.count == 4)
        #expect(run.status == 1)
        #expect(run.outcome.unsent == nil)
        for job in run.starts { #expect(try tokens.entry(of: job)?.token == "T") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "lists").path) == [])
    }

    @Test("a start whose response was lost is repeated with the same job identifier", arguments: [1, 2])
    func lostAnswers(count: Int) async throws {
        let run = try await run(server(onStart: { $0 < count ? .drop : nil }))
        #expect(run.outcome.unsent == nil)
        #expect(run.outcome.jobs.count == 2)
        #expect(run.starts.count == count + 2)
        #expect(Set(run.starts).count == 2)
    }

    @Test("unsubmitted books are counted and stored, and resuming the list reuses its job identifiers")
    func resumed() async throws {
        let first = try await run(server(onStart: { $0 >= 1 ? .reset : nil }))
        let unsent = try #require(first.outcome.unsent)
        #expect(unsent.count == 2)
        #expect(unsent.failure.status == .unavailable)
        #expect(first.outcome.jobs.map(\.job) == [first.starts[0]])
        let resume = try #require(first.outcome.resume)
        #expect(EnrichRun.notice(first.outcome).contains("2 books were not submitted"))
        let second = try await run(server())
        #expect(second.starts == [first.starts[1]])
        #expect(second.outcome.jobs.map(\.job) == [first.starts[0], first.starts[1]])
        #expect(second.books.count == 4)
        #expect(resume.hasPrefix("bookstrack enrich --resume "))
        let name = String(resume.split(separator: " ").last ?? "")
        #expect(throws: CommandFailure.self) {
            try BookSubmission(resuming: name, in: self.folder.appending(path: "lists"))
        }
    }

    @Test("works without an ISBN are submitted like titles, and the numbers of their rows are not sent")
    func works() async throws {
        let works = [BookQuery(workId: "OL1W"), BookQuery(workId: "OL2W")]
        #expect(try await run(server(), books: works).sent == [works])
        let mixed = [BookQuery(title: "Dune", row: 1), BookQuery(title: "Emma", workId: "OL1W", row: 2)]
        let submitted = try await run(server(), books: mixed)
        #expect(submitted.sent == [[BookQuery(title: "Dune"), BookQuery(title: "Emma", workId: "OL1W")]])
        #expect(submitted.outcome.unsent == nil)
    }

    @Test("a list of works that the server refused can be resumed once the server accepts it")
    func resumedWorks() async throws {
        let works = [BookQuery(workId: "OL1W"), BookQuery(workId: "OL2W")]
        let refused = try await run(server(onStart: { _ in Self.refusal(400, .invalidRequest) }), books: works)
        #expect(refused.outcome.resume != nil)
        let resumed = try await run(server(), books: works)
        #expect(resumed.starts == refused.starts)
        #expect(resumed.sent == [works])
        #expect(resumed.outcome.unsent == nil)
    }

    @Test(
        "a rejected job does not prevent other jobs from starting",
        arguments: [
            (APIErrorCode.invalidRequest, BookstrackCLI.ExitStatus.unexpectedAnswer), (.invalidISBN, .badInput),
        ])
    func refusedBatch(code: APIErrorCode, status: BookstrackCLI.ExitStatus) async throws {
        let run = try await run(server(onStart: { $0 == 0 ? Self.refusal(400, code) : nil }))
        #expect(run.starts.count == 2)
        #expect(run.outcome.jobs.map(\.job) == [run.starts[1]])
        #expect(run.outcome.unsent?.count == 2)
        #expect(run.outcome.unsent?.failure.status == status)
    }

    @Test("a server that accepts only smaller jobs receives smaller ones")
    func smallerJobs() async throws {
        let tooLarge = Self.refusal(400, .batchTooLarge, ["limit": 2, "count": 4])
        let run = try await run(server(onStart: { $0 == 0 ? tooLarge : nil }), batchSize: 10_000)
        #expect(run.outcome.unsent == nil)
        #expect(run.outcome.jobs.count == 2)
        #expect(run.books.count == 4)
    }

    @Test(
        "the run waits if the server is busy, limits requests, or has a service that is down",
        arguments: [
            refusal(503, .serviceUnavailable, retryAfter: 7),
            refusal(503, .serviceUnavailable, ["service": "progress-host"], retryAfter: 2),
            refusal(429, .rateLimitExceeded, retryAfter: 42),
        ])
    func waiting(refusal: ScriptedServer.Reaction) async throws {
        let run = try await run(server(onStart: { $0 == 0 ? refusal : nil }))
        #expect(run.outcome.unsent == nil)
        #expect(Set(run.starts).count == 2)
    }

    @Test("a cancelled job does not affect the others")
    func cancelled() async throws {
        let run = try await run(
            server(onSocket: { number, frames in
                number == 0 ? try frames.progress(seq: 3, found: 1, status: "job_cancelled") : nil
            }))
        #expect(run.outcome.jobs.filter { $0.status == .cancelled }.count == 1)
        #expect(run.outcome.jobs.filter { $0.status == .completed }.count == 1)
        #expect(run.books.count == 4)
    }

    @Test("a job that cannot be watched, but has results, counts like any other job")
    func resultsWithoutToken() async throws {
        let run = try await run(server(onStart: { _ in Self.refusal(409, .jobExists) }))
        #expect(run.outcome.jobs.map(\.failure?.status) == [.notPermitted, .notPermitted])
        #expect(run.books.count == 4)
        #expect(run.status == 1)
    }

    private static let later = "; once the job has ended, read the results with: bookstrack results 4e97b11b"

    @Test(
        "if a job cannot be watched, the message states how to read the results later, unless there will be none",
        arguments: [
            (["status": "processing"], later), (["status": "cancelled"], ""), ([:], ""),
        ] as [([String: DetailValue], String)])
    func laterResults(details: [String: DetailValue], addition: String) async throws {
        let server = ScriptedServer(react: { _, _ in Self.refusal(404, .notFound, details) })
        let client = try BookstrackClient.loopback(port: await server.start())
        var job = JobReport(job: try #require(JobID("4e97b11b-7f51-4a9f-8d6c-3c4f8f0d3a11")))
        job.failure = CommandFailure(.notPermitted, "its token was lost")
        var report = ResultsReport(.csv, OutputStyle(width: 80, colors: false), write: { _ in })
        let read = try await ResultsFetch(client: client, output: .lines).read([job], into: &report)
        await server.stop()
        #expect(read.map(\.failure) == [CommandFailure(.notPermitted, "its token was lost" + addition)])
    }

    @Test("once a job is over, the progress refers to the next job that is not")
    func unwatchedJob() async {
        let progress = RunProgress(.lines, counts: [ProgressCount(total: 2), ProgressCount(total: 2)])
        #expect(await progress.position.open == 0)
        await progress.end(0)
        #expect(await progress.position.open == 1)
        await progress.end(1)
        #expect(await progress.position.open == nil)
    }

    @Test("a service that is down is reported once, whether a lost connection or a waiting job reveals it first")
    func outage() {
        let error = BookstrackError(
            .serviceUnavailable, "no", status: 503, details: ["service": "progress-host"], isRetryable: true)
        let lost = JobInterruption(error, retryIn: .seconds(5))
        var outage = RunOutage()
        #expect(outage.interrupted(lost) == "progress-host is down; reconnecting in 5 s.")
        #expect(outage.waits(for: "progress-host") == nil)
        #expect(outage.interrupted(lost) == nil)
        #expect(outage.waits(for: nil) == "progress-host is back.")
        #expect(
            outage.waits(for: "progress-host")
                == "progress-host is down; the books will be looked up once it is back.")
        #expect(outage.interrupted(lost) == nil)
        #expect(
            outage.waits(for: "enrichment-worker")
                == "enrichment-worker is down; the books will be looked up once it is back.")
        #expect(outage.waits(for: nil) == "enrichment-worker is back.")
    }

    @Test("a service that runs but refuses writes is reported with its reason, and not as down")
    func refusedWrites() {
        let error = BookstrackError(
            .serviceUnavailable, "progress-host cannot process the request: the disk is full", status: 503,
            details: ["service": "progress-host", "reason": "the disk is full"], isRetryable: true)
        let lost = JobInterruption(error, retryIn: .seconds(5))
        #expect(lost.text == "progress-host cannot process the request: the disk is full; reconnecting in 5 s.")
        #expect(error.service == nil)
        #expect(error.reason == .down)
    }

    @Test("a connection lost again after an event is reported again")
    func laterOutage() {
        let lost = JobInterruption(BookstrackError(.connectionFailed, "the connection broke"), retryIn: .seconds(1))
        var outage = RunOutage()
        #expect(outage.interrupted(lost) == "the connection broke; reconnecting in 1 s.")
        #expect(outage.interrupted(lost) == nil)
        outage.eventArrives()
        #expect(outage.interrupted(lost) == "the connection broke; reconnecting in 1 s.")
    }

    @Test("no progress is shown before a job has reported its number of books")
    func unknownCount() async {
        let drawn = NIOLockedValueBox<[String]>([])
        let bar = ProgressBar(columns: 40, unicode: false) { text in drawn.withLockedValue { $0.append(text) } }
        let progress = RunProgress(.bar(bar), counts: [ProgressCount(total: 0)])
        await progress.show()
        #expect(drawn.withLockedValue { $0 } == [])
    }

    @Test("if a token cannot be stored, the run continues, and a warning states the cause and the variable to set")
    func unkeptToken() async throws {
        let run = try await run(server(), tokens: SavedTokens(path: "/dev/null/state/tokens.json"))
        #expect(run.outcome.unsent == nil)
        #expect(run.outcome.jobs.map(\.status) == [.completed, .completed])
        let warning = SavedTokens.warning(of: run.starts[0], CommandFailure(.cannotWrite, "cannot write x"))
        #expect(warning.contains("cannot write x"))
        #expect(warning.contains("XDG_STATE_HOME"))
    }

    @Test("Ctrl-C prints what was submitted, what was not, and how to continue both")
    func interruptMessage() throws {
        let runState = RunState()
        #expect(runState.interruptMessage == "Nothing was submitted.")
        var list = try BookSubmission(
            (0..<3).map { BookQuery(title: "\($0)") }, to: try ServerAddress(host: "h", port: 1), size: 2,
            in: folder.appending(path: "lists"), warn: { _ in })
        list.markStarted(list.batches[0].job)
        runState.update(list)
        let job = list.batches[0].job.text.prefix(8)
        #expect(
            runState.interruptMessage == """
                Not submitted: 1 of 3 books.
                To continue: bookstrack enrich --resume \(list.id)
                The job continues in the background. To resume watching: bookstrack watch \(job)
                """)
    }
}
