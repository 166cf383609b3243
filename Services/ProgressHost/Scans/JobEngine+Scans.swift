import BookstrackContract
import Logging
import NIOCore
import Observability
import SuiteMethods
import SuiteStorage

// MARK: Starting a scan

extension JobEngine {
    /// Reserves a job for uploaded photos, or answers a repeated start with a token (scans.md "Life").
    func beginScan(_ parameters: BeginScan.Parameters, _ turn: Turn) throws -> BeginScan.Result {
        Activity.current?.concern(job: parameters.jobId.text)
        guard (1...ScanLimit.photos).contains(parameters.photos.count), parameters.photos.allSatisfy({ $0 > 0 }) else {
            throw HostFailure.invalidRequest("a scan needs 1 to \(ScanLimit.photos) photos")
        }
        if let existing = try turn.jobs.job(parameters.jobId, at: turn.now.settled) {
            guard let stored = try turn.scans.scan(existing), existing.digest == parameters.sha256,
                let token = try repeatedStart(of: existing, by: parameters.origin, turn)
            else { throw HostFailure.jobExists(existing.id, existing.status, .photos) }
            return BeginScan.Result(
                jobId: existing.id, token: token, status: existing.status,
                needsFile: !stored.isUploaded && !existing.status.isTerminal)
        }
        try removeLeftovers(of: parameters.jobId, turn)
        let job = try insert(parameters.jobId, .aiScan, digest: parameters.sha256, parameters.origin, turn)
        try turn.scans.insert(parameters, job: job.number)
        let token = try tokens.issue(job: job.number, turn).text
        try activate(job, turn)
        context.tally.noteStart(of: job)
        try connections.admitAwaiting(job.id, job: job.number, turn)
        context.note(.accepted, of: job, turn)
        logger.info("scan accepted", metadata: ["jobId": "\(job.id)", "photos": "\(parameters.photos.count)"])
        return BeginScan.Result(jobId: job.id, token: token, status: .pending, needsFile: true)
    }

    /// Loads a scan: its photos if some of them are unread, and the items of the photos that have been read.
    func activate(_ scan: OpenScan, _ row: JobRow, deadline: Duration, _ turn: Turn) throws {
        let job = try jobs.open(row, deadline: deadline, turn)
        job.photos = PhotoProgress(scan)
        if !scan.unread.isEmpty { scans.open(scan, turn) }
        proceed(with: job, turn)
    }
}

// MARK: Reading photos

extension JobEngine {
    /// Hands out photos to waiting workers.
    func serveScanClaims(_ turn: Turn) throws {
        try scans.serveClaims(turn) { open in
            guard let job = jobs[open.job] else { return try jobs.row(open.job, turn) }
            guard !job.isEnding else { return nil }
            if job.row.status == .pending {
                try start(job, turn)
                if open.isBatch { try emit(.batchStarted, of: job, turn) { try $0.batchStarted(PhotoProgress(open)) } }
            }
            return job.row
        }
    }

    /// Records that a worker is reading a photo.
    func noteScanProgress(_ progress: ScanProgress.Parameters, from peer: PeerID, _ turn: Turn) throws {
        guard var open = scans.held(progress.key, by: peer, turn), open.photos.indices.contains(progress.photo),
            open.photos[progress.photo].shown.status == .queued
        else { return }
        open.photos[progress.photo].shown.status = .processing
        guard let job = jobs[open.job] else {
            scans[open.job] = open
            return try turn.scans.update(open.photos[progress.photo], job: open.job)
        }
        if !job.isEnding { try change(progress.photo, of: open, job, turn) }
    }

    /// Records the outcome of a photo. The photo's spines become items.
    func recordPhoto(_ outcome: RecordPhoto.Parameters, from peer: PeerID, _ turn: Turn) throws -> StepAnswer {
        guard let open = scans.held(outcome.key, by: peer, turn), jobs[open.job]?.isEnding != true,
            let row = try jobs.row(open.job, turn)
        else { return StepAnswer(isWanted: false) }
        guard open.photos.indices.contains(outcome.photo) else {
            throw HostFailure.invalidRequest("the scan has only \(open.photos.count) photos")
        }
        guard (outcome.reading?.spines.count ?? 0) <= PhotoReading.maxSpines else {
            throw HostFailure.invalidRequest("a photo may have at most \(PhotoReading.maxSpines) spines")
        }
        // The call was repeated because its response was lost.
        guard !open.photos[outcome.photo].shown.status.isOver else { return StepAnswer(isWanted: true) }
        try end(outcome, of: open, row, turn)
        return StepAnswer(isWanted: true)
    }

    private func end(_ outcome: RecordPhoto.Parameters, of open: OpenScan, _ row: JobRow, _ turn: Turn) throws {
        guard let job = jobs[open.job] else { return try endLate(outcome, of: open, row, turn) }
        var open = open
        open.photos[outcome.photo].end(outcome)
        if open.lostAttempts > 0 {
            open.lostAttempts = 0
            try open.store(turn)
        }
        if let reading = outcome.reading, !reading.spines.isEmpty {
            try turn.scans.add(reading, photo: outcome.photo, to: job.row)
            work.queue(job) { job.add(items: reading.spines.count, interval: policy.progressInterval) }
            jobs.itemsDrafted(reading.spines.count)
        }
        context.note(
            .recorded, of: job.row, index: outcome.photo, result: open.photos[outcome.photo].shown.status.rawValue,
            code: outcome.fault?.code.rawValue, turn)
        try change(outcome.photo, of: open, job, turn)
        if open.unread.isEmpty { scans.forget(open) }
        if job.allItemsEnded { scheduleEnd(job) }
    }

    /// Stores the new state of a photo and sends it to watchers.
    private func change(_ photo: Int, of open: OpenScan, _ job: ActiveJob, _ turn: Turn) throws {
        scans[open.job] = open
        try turn.scans.update(open.photos[photo], job: open.job)
        job.photos = PhotoProgress(open)
        job.pushedStatus = nil
        if open.isBatch {
            let books = try turn.scans.tally(job: open.job)
            try emit(.batchProgress, of: job, turn) {
                try $0.batchProgress(PhotoProgress(open), photo: photo, books: books)
            }
        }
        // If no photo shows a book, there is nothing to look up: the end of the scan follows without a progress event.
        if !job.allItemsEnded || job.row.total > 0 { try emitProgress(job, turn) }
    }

    /// Handles a scan with too many attempts that lost their workers: the first unread photo, with which they all began, fails.
    func giveUpPhoto(of open: OpenScan, _ turn: Turn) throws {
        guard let row = try jobs.row(open.job, turn), let photo = open.unread.first else { return }
        try end(RecordPhoto.Parameters(key: open.key, photo: photo, outcome: .failure(.lost)), of: open, row, turn)
    }
}

// MARK: Ends

extension JobEngine {
    /// Ends a scan after every photo has an outcome and every book has been looked up, or after the job's deadline. Runs in a synced group.
    func endScan(_ job: ActiveJob, _ stored: OpenScan, _ turn: Turn) throws {
        var scan = stored
        for photo in scan.unread {
            scan.photos[photo].end(RecordPhoto.Parameters(key: scan.key, photo: photo, outcome: .failure(.late)))
            try turn.scans.update(scan.photos[photo], job: scan.job)
        }
        if let open = scans[scan.job] { scans.forget(open) }
        job.photos = PhotoProgress(scan)
        try emitHeldProgress(of: job, turn)
        let tally = try turn.scans.tally(job: scan.job)
        let failure = ScanFailure(scan, books: job.row.total)
        let expiresAt = try planBackgroundRetries(of: job, turn)
        conclude(job, as: failure == nil ? .completed : .failed, expiresAt: expiresAt, turn)
        if scan.isBatch {
            let page = try turn.scans.page(job: job.row, from: 0, atMost: policy.completionBooksLimit)
            let books = page.next == nil ? page.rows : ByteBuffer()
            try emit(.batchCompleted, of: job, turn) {
                try $0.batchCompleted(PhotoProgress(scan), tally, books: books)
            }
        }
        if let failure {
            try emit(.failing, of: job, turn) { try $0.failing(failure) }
            try emit(.failed, of: job, turn) { try $0.failed(failure) }
        } else {
            try emit(.completed, of: job, turn) {
                try $0.completed(tally, modelUsed: scan.modelUsed, endedAt: turn.now.wall, expiresAt: expiresAt)
            }
        }
        context.note(
            failure == nil ? .completed : .failed, of: job.row, result: failure?.fault.code.rawValue, turn)
        try retire(job, turn)
    }

    /// Discards the photos of a cancelled scan. Returns their number; 0 if the job is not a scan, or if not all of them had arrived.
    func discardPhotos(of job: ActiveJob, _ turn: Turn) throws -> Int {
        guard let scan = try turn.scans.scan(job.row) else { return 0 }
        if let open = scans[scan.job] { return scans.close(open) ? open.files.count : 0 }
        context.tally.uploadsDeleted += scan.files.count
        context.afterCommit(Effect(commit: { [uploads] in uploads.remove(scan.id) }))
        return scan.files.count
    }
}
