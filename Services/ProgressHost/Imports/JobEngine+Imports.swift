import BookstrackContract
import Logging
import Observability
import SuiteMethods
import SuiteStorage

// MARK: Starting an import

extension JobEngine {
    /// Reserves a job for an uploaded file, or answers a repeated start with a token (imports.md "Life").
    func beginImport(_ parameters: BeginImport.Parameters, _ turn: Turn) throws -> BeginImport.Result {
        Activity.current?.concern(job: parameters.jobId.text)
        guard parameters.bytes > 0, parameters.lines >= 0 else {
            throw HostFailure.invalidRequest("an import needs a file")
        }
        if let existing = try turn.jobs.job(parameters.jobId, at: turn.now.settled) {
            return try repeatImport(existing, parameters, turn)
        }
        // The number of lines is only an estimate of the number of books: in a JSON export, a book has many lines. So a file that seems to exceed the
        // client's share is accepted if the whole share is free, and once accepted, all its books are looked up, even if they do exceed the share.
        if parameters.enrich {
            try checkRoom(for: min(parameters.lines, policy.openItemsPerClient), of: parameters.origin.client)
        }
        try removeLeftovers(of: parameters.jobId, turn)
        let job = try insert(parameters.jobId, .csvImport, digest: parameters.sha256, parameters.origin, turn)
        let enrichment = try parameters.enrich ? insertEnrichment(of: job, parameters.origin, turn) : nil
        try turn.imports.insert(parameters, job: job.number, enrichment: enrichment?.number)
        let token = try tokens.issue(job: job.number, turn).text
        let link = try enrichment.map { try enrichmentLink($0, turn) }
        for row in [job, enrichment].compactMap(\.self) {
            try activate(row, turn)
            context.tally.noteStart(of: row)
            try connections.admitAwaiting(row.id, job: row.number, turn)
            context.note(.accepted, of: row, turn)
        }
        logger.info("import accepted", metadata: ["jobId": "\(job.id)", "bytes": "\(parameters.bytes)"])
        return BeginImport.Result(
            jobId: job.id, token: token, status: .pending, needsFile: true, enrichment: link)
    }

    /// Removes an expired job with this identifier, and any files that a job with this identifier has left. Otherwise, these files would be read as
    /// those of the new job, and api-proxy could not move the new files to the job's folder after the response.
    ///
    /// Unlike other files, they are deleted before the commit: if the process crashed between the commit and the deletion, the new job would own
    /// them. If the turn is rolled back, nothing is lost, because no job that has not expired owns them.
    func removeLeftovers(of id: JobID, _ turn: Turn) throws {
        try removeExpired(id, turn)
        uploads.remove(id)
    }

    private func repeatImport(
        _ existing: JobRow, _ parameters: BeginImport.Parameters, _ turn: Turn
    ) throws -> BeginImport.Result {
        guard let stored = try turn.imports.import(existing), existing.digest == parameters.sha256,
            let token = try repeatedStart(of: existing, by: parameters.origin, turn)
        else { throw HostFailure.jobExists(existing.id, existing.status, .file) }
        // A caller authorized for the import is also authorized for its linked job.
        let enrichment = try stored.enrichment.flatMap { try turn.jobs.job(number: $0) }
        let hasRoom = try enrichment.map { try tokens.hasRoom(job: $0.number, atMost: JobTokens.byStarts, turn) }
        return BeginImport.Result(
            jobId: existing.id, token: token, status: existing.status,
            needsFile: !stored.isUploaded && !existing.status.isTerminal,
            enrichment: hasRoom == true ? try enrichment.map { try enrichmentLink($0, turn) } : nil)
    }

    private func insertEnrichment(of job: JobRow, _ origin: JobOrigin, _ turn: Turn) throws -> JobRow {
        try insert(
            JobID.random(), .batchEnrichment, digest: Self.linkedDigest + job.id.text,
            JobOrigin(client: origin.client, priority: .low, source: .import), turn)
    }

    /// The beginning of a linked enrichment's digest; the rest is the identifier of its import.
    private static let linkedDigest = "import "

    /// The open import for which an enrichment is waiting; nil if there is none.
    func holder(of enrichment: JobRow) -> OpenImport? {
        guard enrichment.digest.hasPrefix(Self.linkedDigest),
            let id = JobID(String(enrichment.digest.dropFirst(Self.linkedDigest.count))), let open = readingSteps[id]
        else { return nil }
        return open.enrichment == enrichment.number ? open : nil
    }

    private func enrichmentLink(_ job: JobRow, _ turn: Turn) throws -> BeginImport.Result.Enrichment {
        .init(jobId: job.id, token: try tokens.issue(job: job.number, turn).text)
    }

    /// Handles the arrival of the file of a reserved import, or of the photos of a reserved scan. Does nothing if the arrival is already known.
    ///
    /// - Throws: `noJob` if no import or scan has this ID, and `invalidRequest` if a file is missing.
    func importUploaded(_ id: JobID, _ turn: Turn) throws {
        Activity.current?.concern(job: id.text)
        if let open = readingSteps[id] { return try noteUploaded(open, readingSteps, turn) }
        if let open = scans[id] { return try noteUploaded(open, scans, turn) }
        let row = try turn.jobs.job(id, at: turn.now.settled)
        guard let row, try turn.imports.import(row) != nil || turn.scans.scan(row) != nil else {
            throw HostFailure.noJob(id)
        }
    }

    private func noteUploaded<Upload>(_ open: Upload, _ steps: ReadingSteps<Upload>, _ turn: Turn) throws {
        guard !open.isUploaded else { return }
        guard steps.hasFiles(open) else { throw HostFailure.invalidRequest("a file of \(open.id) is missing") }
        var open = open
        open.isUploaded = true
        try open.store(turn)
        steps[open.job] = open
    }

    /// Checks whether the files of reserved imports and scans have arrived, and removes reservations whose files are overdue.
    func checkReservations(_ turn: Turn) throws {
        try checkReservations(readingSteps, turn) { [$0.job, $0.enrichment].compactMap(\.self) }
        try checkReservations(scans, turn) { [$0.job] }
    }

    /// - Parameter jobs: Returns the numbers of the jobs for which an upload was reserved.
    private func checkReservations<Upload>(
        _ steps: ReadingSteps<Upload>, _ turn: Turn, jobs numbers: (Upload) -> [Int64]
    ) throws {
        for open in steps.reserved {
            guard let job = jobs[open.job] else { continue }
            // Like the job's deadline, and unlike its time of creation, the result is not affected by jumps of the wall clock.
            let end = job.deadline - policy.jobDeadline + policy.uploadTimeout
            if steps.hasFiles(open) {
                try noteUploaded(open, steps, turn)
            } else if end <= turn.now.uptime {
                try dropReservation(open, steps, of: numbers(open), turn)
            } else {
                context.timers.setAtLatest(.reservations, at: end)
            }
        }
    }

    /// Removes a job whose files never arrived. Its client never received the 202 response, so nothing of the job is kept.
    private func dropReservation<Upload>(
        _ open: Upload, _ steps: ReadingSteps<Upload>, of numbers: [Int64], _ turn: Turn
    ) throws {
        logger.notice("a job's files did not arrive", metadata: ["jobId": "\(open.id)"])
        context.tally.reservationsDropped += 1
        _ = steps.close(open)
        for number in numbers {
            guard let job = jobs[number] else { continue }
            streams.close(
                Array(streams.watchers(of: number)), code: .internalError, reason: "the upload did not arrive")
            work.remove(job)
            jobs.remove(job)
            try remove(number, turn)
        }
    }
}

// MARK: Ends

extension JobEngine {
    /// Ends an import as failed, and begins to end its linked job, which may take several steps. Runs in a synced group.
    func failImport(_ open: OpenImport, _ fault: ImportFault, _ turn: Turn) throws {
        guard let job = jobs[open.job] else { return }
        try emitHeldProgress(of: job, turn)
        try turn.imports.store(fault, job: open.job)
        conclude(job, as: .failed, turn)
        try emit(.failed, of: job, turn) { try $0.failed(fault, open.file) }
        context.note(.failed, of: job.row, result: fault.code.rawValue, turn)
        _ = readingSteps.close(open)
        try retire(job, turn)
        work.withdraw(job.row)
        if let linked = heldEnrichment(of: open) { try failLinked(linked, turn) }
    }

    /// The fault of an import that fails although no worker reported a fault.
    func faultWithoutWorker(_ open: OpenImport) -> ImportFault {
        readingSteps.hasFailed(open)
            ? ImportFault(
                .processingFailed,
                "Reading the file failed \(open.lostAttempts) times. Please report this, and include the file."
            )
            : ImportFault(.processingFailed, "The file was not read in time. Please try again later.")
    }

    /// Ends an enrichment that cannot begin because its import failed: first its items, in steps, then the job. Until then, the job's status is
    /// `cancelling`.
    private func failLinked(_ job: ActiveJob, _ turn: Turn) throws {
        countEndedItems(job.openItems, of: job.row, as: .skipped, .cancelled)
        job.row.status = .cancelling
        job.isEnding = true
        job.failsWithImport = true
        try endRemainingItems(job.row.number, turn)
    }

    /// Ends an enrichment that fails with its import, after all its items have ended.
    func endFailedLink(_ job: ActiveJob, _ turn: Turn) throws {
        conclude(job, as: .failed, turn)
        try emit(.failed, of: job, turn) { try $0.failed(.importFailed, affectedItems: []) }
        context.note(.failed, of: job.row, result: "importFailed", turn)
        try retire(job, turn)
    }

    /// Sets a job's final status, its end time and the expiry of its results.
    func conclude(_ job: ActiveJob, as status: JobStatus, expiresAt: Int64? = nil, _ turn: Turn) {
        job.row.status = status
        job.row.endedAt = turn.now.wall
        job.row.expiresAt = expiresAt ?? turn.now.wall + policy.resultsTTL.milliseconds
    }

    /// Completes an import and starts its linked job in the same transaction.
    func completeImport(_ open: OpenImport, _ parameters: FinishImport.Parameters, _ turn: Turn) throws {
        guard let job = jobs[open.job] else { return }
        let summary = parameters.summary
        job.read(open.file.bytes, .saving)
        try emitHeldProgress(of: job, turn)
        try turn.imports.store(summary, modelUsed: parameters.modelUsed, job: open.job)
        job.settle(summary.counts)
        conclude(job, as: .completed, turn)
        let enrichment = try open.enrichment.flatMap { try jobs.row($0, turn) }
        let books =
            job.row.origin.completionBooks == .imported
            ? try turn.imports.completionRows(
                job: open.job, attempt: open.attempt, atMost: policy.completionBooksLimit) : nil
        try emit(.completed, of: job, turn) {
            try $0.completed(
                summary, enrichment: enrichment?.id, endedAt: turn.now.wall,
                expiresAt: job.row.expiresAt ?? turn.now.wall, books: books)
        }
        context.note(.completed, of: job.row, turn)
        _ = readingSteps.close(open)
        try retire(job, turn)
        if let linked = heldEnrichment(of: open) { try submitLinked(linked.row, open, turn) }
    }

    /// The enrichment waiting for an import; nil if there is none or if it was cancelled separately.
    func heldEnrichment(of open: OpenImport) -> ActiveJob? {
        open.enrichment.flatMap { jobs[$0] }.flatMap { $0.isHeld && !$0.isEnding ? $0 : nil }
    }

    /// Starts an enrichment whose items were drafted while the file was being read.
    private func submitLinked(_ row: JobRow, _ open: OpenImport, _ turn: Turn) throws {
        try turn.imports.endDraft(at: open.drafted, job: row)
        let job = jobs.submit(row.number, items: open.drafted, now: turn.now)
        guard let job else { return }
        work.queue(job)
        context.note(.submitted, of: job.row, result: "\(open.drafted) items", turn)
        if job.allItemsEnded { scheduleEnd(job) }
    }
}
