import BookstrackContract
import SuiteMethods
import SuiteStorage

/// The reading of imports' files by workers, and reading attempts that lose their workers.
extension JobEngine {
    /// Hands out files to waiting workers.
    func serveImportClaims(_ turn: Turn) throws {
        try readingSteps.serveClaims(turn) { open in
            guard let job = jobs[open.job], !job.isEnding else { return nil }
            if job.row.status == .pending { try start(job, turn) }
            return job.row
        }
    }

    /// Stores a page of rows and drafts the linked job's items for them.
    func recordImportRows(_ rows: RecordImportRows, from peer: PeerID, _ turn: Turn) throws -> StepAnswer {
        guard var open = readingSteps.held(rows.head.key, by: peer, turn), let job = jobs[open.job], !job.isEnding
        else {
            return StepAnswer(isWanted: false)
        }
        guard rows.head.page <= open.pages else {
            throw HostFailure.invalidRequest("page \(rows.head.page) arrived before page \(open.pages)")
        }
        // The page was sent again because the response was lost.
        guard rows.head.page == open.pages else { return StepAnswer(isWanted: true) }
        let queries = rows.head.queries ?? []
        let linked = queries.isEmpty ? nil : heldEnrichment(of: open)
        // This is checked before the page is stored, because the rest of the group is committed even if this call is refused.
        guard linked == nil || open.drafted + queries.count <= ItemNumber.placesPerJob else {
            throw HostFailure.invalidRequest("a linked job may have at most \(ItemNumber.placesPerJob) items")
        }
        try turn.imports.insert(rows, job: open.job, isShortened: job.row.origin.completionBooks == .imported)
        open.pages += 1
        if let linked {
            let total = try turn.imports.draft(queries, after: open.drafted, job: linked.row)
            jobs.itemsDrafted(total - linked.row.total)
            linked.row.total = total
            open.drafted += queries.count
        }
        try advance(open, job, to: rows.head.bytesRead, .saving, turn)
        return StepAnswer(isWanted: true)
    }

    /// Records how much of a file a worker has read.
    func noteImportProgress(_ progress: ImportProgress.Parameters, from peer: PeerID, _ turn: Turn) throws {
        guard let open = readingSteps.held(progress.key, by: peer, turn), let job = jobs[open.job], !job.isEnding else {
            return
        }
        try advance(open, job, to: progress.bytesRead, progress.phase, turn)
    }

    private func advance(
        _ open: OpenImport, _ job: ActiveJob, to bytesRead: Int, _ phase: ImportPhase, _ turn: Turn
    ) throws {
        var open = open
        // Progress never decreases, even if the file is read from the start again.
        open.bytesRead = max(open.bytesRead, min(bytesRead, open.file.bytes))
        job.pushedStatus = nil
        try turn.imports.update(open)
        readingSteps[open.job] = open
        let before = job.counts
        job.read(open.bytesRead, phase)
        guard job.counts != before else { return }
        try follow(job.throttle.update(processed: job.counts.processed, now: turn.now.uptime), of: job, turn)
    }

    /// Ends a reading step whose file has been read completely.
    func finishImport(_ parameters: FinishImport.Parameters, from peer: PeerID, _ turn: Turn) throws -> StepAnswer {
        guard let open = readingSteps.held(parameters.key, by: peer, turn), jobs[open.job]?.isEnding == false else {
            return StepAnswer(isWanted: false)
        }
        guard parameters.pages == open.pages else {
            throw HostFailure.invalidRequest("\(open.pages) of \(parameters.pages) pages arrived")
        }
        try completeImport(open, parameters, turn)
        return StepAnswer(isWanted: true)
    }

    /// Ends a reading step whose file cannot be imported.
    func failImport(_ parameters: FailImport.Parameters, from peer: PeerID, _ turn: Turn) throws -> StepAnswer {
        guard let open = readingSteps.held(parameters.key, by: peer, turn), jobs[open.job]?.isEnding == false else {
            return StepAnswer(isWanted: false)
        }
        try failImport(open, parameters.failure, turn)
        return StepAnswer(isWanted: true)
    }

    /// Counts attempts that have lost their workers. After too many of them, an import fails, and a scan gives up on a photo.
    func countLostSteps(_ turn: Turn) throws {
        for open in try readingSteps.countLost(turn) { if let job = jobs[open.job] { scheduleEnd(job) } }
        for open in try scans.countLost(turn) { try giveUpPhoto(of: open, turn) }
    }
}
