import BookstrackContract
import SuiteMethods

/// The members of a scan's results that are not books.
private struct ScanSummary: Encodable {
    let jobId: JobID
    let resultsRevision: Int
    let expiresAt: String
    let totalDetected: Int
    let approved: Int
    let needsReview: Int
    let photos: [ScannedPhoto]
    let metadata: ScanResults.Reading

    init(_ head: ReadResults.Head, _ scan: ScanFigures) {
        jobId = head.jobId
        resultsRevision = head.resultsRevision
        expiresAt = head.expiresAt
        totalDetected = scan.detected
        approved = scan.approved
        needsReview = scan.detected - scan.approved
        photos = scan.photos
        metadata = scan.reading
    }
}

extension RowsDocument {
    /// The results of a scan (scans.md "Results").
    static var scan: RowsDocument {
        RowsDocument(.aiScan, after: "{\"data\":{\"books\":[") { head in head.scan.map { ScanSummary(head, $0) } }
    }
}
