import BookstrackContract
import Observability
import SuiteMethods

// MARK: Photos of ended scans

extension JobEngine {
    /// Schedules the failed photos of an ended scan to be read again, if they are still stored (scans.md "Retries"). Returns the number of these
    /// photos.
    func retryPhotos(of row: JobRow, _ turn: Turn) throws -> Int {
        guard scans[row.number] == nil, var scan = try turn.scans.scan(row) else { return 0 }
        let failed = scan.photos.indices.filter { place in
            scan.photos[place].shown.status == .error && uploads.hasFile(UploadFolder.photo(place), of: row.id)
        }
        guard !failed.isEmpty else { return 0 }
        for place in failed {
            scan.photos[place].requeue()
            try turn.scans.update(scan.photos[place], job: row.number)
        }
        scan.lostAttempts = 0
        try scan.store(turn)
        scans.open(scan, turn)
        return failed.count
    }

    /// Loads the ended scans with photos that must be read again.
    func reopenScans(_ turn: Turn) throws {
        for number in try turn.scans.reopened() {
            guard let row = try turn.jobs.job(number: number), let scan = try turn.scans.scan(row) else { continue }
            scans.open(scan, turn)
        }
    }

    /// Records the outcome of a photo of an ended scan, which changes the job's results but not its status. The photo's spines are looked up like
    /// failed items that are retried.
    func endLate(_ outcome: RecordPhoto.Parameters, of open: OpenScan, _ row: JobRow, _ turn: Turn) throws {
        var open = open
        open.photos[outcome.photo].end(outcome)
        open.lostAttempts = 0
        try open.store(turn)
        try turn.scans.update(open.photos[outcome.photo], job: open.job)
        scans[open.job] = open
        if let reading = outcome.reading, !reading.spines.isEmpty {
            try turn.scans.add(reading, photo: outcome.photo, to: row, dueAt: turn.now.settled)
            jobs.itemsAdded(toEnded: row.number)
            work.planLater(row, .backgroundRetry, at: turn.now.settled, turn)
        }
        try turn.jobs.raiseRevision(row.number)
        try keepReadable(row.number, until: turn.now.settled, turn)
        context.note(
            .recorded, of: row, index: outcome.photo, result: open.photos[outcome.photo].shown.status.rawValue,
            code: outcome.fault?.code.rawValue, turn)
        if open.unread.isEmpty { scans.forget(open) }
    }
}
