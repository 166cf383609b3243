@_exported public import BookstrackContract
public import Foundation

/// A client of one BooksTrack server.
///
/// ```swift
/// let client = BookstrackClient(baseURL: URL(string: "https://api.example.org")!)
/// let found = try await client.search(isbn: "9780441172719")
/// let job = try await client.startEnrichment(isbns: ["9780441172719", "9780547928227"])
/// for try await event in client.events(of: job.jobId) { print(event.progress ?? 0) }
/// let books = try await client.results(of: job.jobId)
/// ```
///
/// Every call throws a ``BookstrackError``. Calls are not retried automatically, except that ``events(of:from:followsResults:onConnection:)``
/// reconnects. Starting a job is safe to repeat with the same job identifier.
public struct BookstrackClient: Sendable {
    /// Storage for the tokens of started jobs.
    public let tokens: any TokenStore

    let transport: any ClientTransport
    let clock: any ClientClock
    let policy: FollowPolicy

    /// Uses the server at `baseURL`, for example `https://api.example.org`.
    public init(baseURL: URL, tokens: any TokenStore = MemoryTokenStore(), policy: FollowPolicy = FollowPolicy()) {
        self.init(transport: NetworkTransport(baseURL: baseURL), tokens: tokens, policy: policy)
    }

    /// Uses a transport, such as the in-memory server of `BookstrackClientTesting`, and a clock.
    public init(
        transport: any ClientTransport, tokens: any TokenStore = MemoryTokenStore(),
        policy: FollowPolicy = FollowPolicy(), clock: any ClientClock = MachineClock()
    ) {
        self.transport = transport
        self.tokens = tokens
        self.policy = policy
        self.clock = clock
    }

    // MARK: Searching

    /// Returns the book with an ISBN; `works` is empty if no provider has it.
    public func search(isbn: String) async throws(BookstrackError) -> SearchResults {
        try await get("/v1/search/isbn", ["isbn": isbn])
    }

    /// Returns books by title and author, best match first; at most 20.
    public func search(title: String, author: String? = nil) async throws(BookstrackError) -> SearchResults {
        guard let author else { return try await get("/v1/search/title", ["q": title]) }
        return try await get("/v1/search/advanced", ["title": title, "author": author])
    }

    /// Returns the editions of a work, most complete first; throws `notFound` if there are none.
    public func editions(of title: String, author: String, limit: Int = 20) async throws(BookstrackError)
        -> EditionResults
    {
        try await get(
            "/v1/editions/search", ["workTitle": title, "author": author, "limit": String(limit)])
    }

    // MARK: Enriching

    /// Starts looking up books, each by any of title, author, ISBN and work.
    ///
    /// Returns when the job is on the server's disk. Repeating the call with the same `jobID` and the same books returns the same job. Texts that are
    /// longer than the server accepts are cut, U+0000 is removed, and row numbers are not sent; the results repeat the books as sent.
    public func startEnrichment(
        books: [BookQuery], jobID: JobID = .random(), priority: JobPriority? = nil, source: JobSource? = nil
    ) async throws(BookstrackError) -> StartedJob {
        try await start(EnrichmentBatchRequest(jobId: jobID, books: books.map(\.fitting)), priority, source)
    }

    /// Starts looking up books by ISBN.
    public func startEnrichment(
        isbns: [String], jobID: JobID = .random(), priority: JobPriority? = nil, source: JobSource? = nil
    ) async throws(BookstrackError) -> StartedJob {
        var request = EnrichmentBatchRequest(jobId: jobID, books: [])
        (request.books, request.isbns) = (nil, isbns.map { BookQuery(isbn: $0).fitting.isbn ?? "" })
        return try await start(request, priority, source)
    }

    /// Starts looking up books by the app's own work identifiers: ISBNs, Open Library work keys or titles.
    public func startEnrichment(
        workIDs: [String], jobID: JobID = .random(), priority: JobPriority? = nil, source: JobSource? = nil
    ) async throws(BookstrackError) -> StartedJob {
        var request = EnrichmentBatchRequest(jobId: jobID, books: [])
        (request.books, request.workIds) = (nil, workIDs.map { BookQuery(workId: $0).fitting.workId ?? "" })
        return try await start(request, priority, source)
    }

    private func start(_ request: EnrichmentBatchRequest, _ priority: JobPriority?, _ source: JobSource?)
        async throws(BookstrackError) -> StartedJob
    {
        var request = request
        (request.priority, request.source) = (priority, source)
        if let job = request.jobId { request.token = try await storedToken(of: job) }
        let started: StartedJob = try await send(json: request, to: "/v1/enrichment/batch")
        try await save(started.token, of: started.jobId)
        return started
    }

    // MARK: Jobs

    /// The events of a job whose token is in this client's token store.
    ///
    /// With `followsResults`, the sequence continues for up to an hour after the end of the job or the last reconnect, and yields
    /// ``JobEvent/Content/resultsUpdated(_:)`` when the results improve; it ends with the job if the job is cancelled or polled. `onConnection` is
    /// called on any thread for every ``ConnectionStatus``.
    public func events(
        of job: JobID, from position: EventPosition = .start, followsResults: Bool = false,
        onConnection report: @escaping @Sendable (ConnectionStatus) -> Void = { _ in }
    ) -> JobEvents {
        let client = self
        return JobEvents {
            let (events, source) = AsyncThrowingStream<JobEvent, any Error>.makeStream()
            let following = Task {
                await EventPump(
                    FollowedJob(id: job, client: client), from: position, followsResults: followsResults,
                    report: report, to: source
                ).run()
            }
            source.onTermination = { _ in following.cancel() }
            return events
        }
    }

    /// Returns the state of a job.
    public func state(of job: JobID) async throws(BookstrackError) -> JobState {
        try await answer(ClientRequest("GET", APIPath.job(job), headers: try await bearer(job)))
    }

    /// Returns the results of an enrichment; throws `notFound` until the job has ended, and once its results have expired.
    public func results(of job: JobID) async throws(BookstrackError) -> EnrichmentResults {
        try await answer(ClientRequest("GET", APIPath.results(job), timeout: .seconds(120)))
    }

    /// Returns the library that an import read; throws `notFound` unless the import has completed, and once its results have expired.
    public func importResults(of job: JobID) async throws(BookstrackError) -> ImportResults {
        try await answer(ClientRequest("GET", APIPath.importResults(job), timeout: .seconds(120)))
    }

    /// Returns the books that a scan found; throws `notFound` until the scan has ended, if it was cancelled, if it failed and no retry has read a
    /// book in its photos since, and once its results have expired.
    public func scanResults(of job: JobID) async throws(BookstrackError) -> ScanResults {
        try await answer(ClientRequest("GET", APIPath.scanResults(job), timeout: .seconds(120)))
    }

    /// Cancels a job; has no effect if the job has ended.
    @discardableResult
    public func cancel(_ job: JobID) async throws(BookstrackError) -> CancelOutcome {
        try await answer(ClientRequest("DELETE", APIPath.job(job), headers: try await bearer(job)))
    }

    /// Looks up the failed books of a completed or failed job again, except those without a usable ISBN, title or work, and rereads the failed photos
    /// of a scan. The server allows this once a minute, and refuses it for an import. Before the end of a job, and after a cancellation, it has no
    /// effect.
    @discardableResult
    public func retry(_ job: JobID) async throws(BookstrackError) -> RetryOutcome {
        try await answer(ClientRequest("POST", APIPath.job(job) + "/retry", headers: try await bearer(job)))
    }

    /// Replaces a job's token. By default, the server allows this during the last 30 minutes of the token's two-hour lifetime. While a job is
    /// followed over a WebSocket or an event stream, the server extends the token itself. ``events(of:from:followsResults:onConnection:)`` uses the
    /// new token from its next request on.
    public func refreshToken(of job: JobID) async throws(BookstrackError) {
        let old = try await token(of: job)
        let body = try Self.encode(TokenRefreshRequest(jobId: job, oldToken: old))
        let answer = try await send(
            ClientRequest(
                "POST", "/v1/token/refresh", headers: ["Content-Type": "application/json"], body: body))
        try await save(try decode(TokenRefreshed.self, answer.body).token, of: job)
    }
}
