import BookstrackContract
import Foundation
import JSONRPC
import NIOCore
import SuiteMethods

@testable import ProgressHost

extension TestHost {
    /// Reserves a scan.
    @discardableResult
    func beginScan(
        _ id: JobID = jobID, sha256: String = "sha", photos: Int = 1, isBatch: Bool = false,
        origin: JobOrigin = JobOrigin(client: "c", priority: .normal)
    ) throws -> BeginScan.Result {
        let parameters = BeginScan.Parameters(
            jobId: id, sha256: sha256, photos: Array(repeating: 1_000, count: photos), isBatch: isBatch, origin: origin)
        return try perform(durable: true) { engine, turn in try engine.beginScan(parameters, turn) }
    }

    /// Moves photos into place, as api-proxy does.
    func putPhotos(_ count: Int = 1, of id: JobID = jobID) throws {
        for index in 0..<count {
            let path = URL(filePath: uploads.path(of: id, UploadFolder.photo(index)))
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("photo".utf8).write(to: path)
        }
    }

    /// Starts a scan whose photos have arrived.
    @discardableResult
    func startScan(
        _ id: JobID = jobID, photos: Int = 1, isBatch: Bool = false,
        origin: JobOrigin = JobOrigin(client: "c", priority: .normal)
    ) throws -> BeginScan.Result {
        let begun = try beginScan(id, photos: photos, isBatch: isBatch, origin: origin)
        try putPhotos(photos, of: id)
        try noteUpload(of: id)
        return begun
    }

    var scanResults: ResultsReader { ResultsReader(pool: pool, clock: clock.engine, ttl: policy.resultsTTL) }

    func hasPhoto(_ index: Int = 0, of id: JobID = jobID) -> Bool { uploads.hasFile(UploadFolder.photo(index), of: id) }
}

extension TestWorker {
    /// Claims photos without waiting.
    func claimPhotos() throws -> ScanStep? {
        let answer = Answer<ClaimScan.Result>()
        host.group([
            EngineCommand(
                durable: false, writes: true,
                run: { [link] engine, turn in
                    engine.claim(
                        .init(waitMilliseconds: 0), in: engine.scans.claims, from: link.id, turn,
                        reply: { answer.give($0) })
                }, refuse: { answer.give(.failure($0)) })
        ])
        host.settle()
        if answer.count == 0 { host.advance(by: .zero) }
        return try answer.value().step
    }

    func begin(_ photo: Int, of step: ScanStep) throws {
        try host.perform { [link] engine, turn in
            try engine.noteScanProgress(.init(key: step.key, photo: photo), from: link.id, turn)
        }
    }

    /// Reports a photo as read; returns whether the step still belongs to the worker.
    @discardableResult
    func read(_ titles: [String], photo: Int = 0, confidence: Double = 0.9, of step: ScanStep) throws -> Bool {
        let spines = titles.map { title in
            var spine = DetectedSpine(title: title, author: "A", isbn: nil, box: .whole, confidence: confidence)
            spine.identity = title
            return spine
        }
        return try end(photo, .success(PhotoReading(engine: "gemini", model: "m", spines: spines)), of: step)
    }

    @discardableResult
    func end(_ photo: Int, _ outcome: Result<PhotoReading, PhotoFault>, of step: ScanStep) throws -> Bool {
        let parameters = RecordPhoto.Parameters(key: step.key, photo: photo, outcome: outcome)
        return try host.perform { [link] engine, turn in
            try engine.recordPhoto(parameters, from: link.id, turn).isWanted
        }
    }

    /// Reports that the books of these spines were found.
    func find(_ items: [ClaimedItem], isVerified: Bool = true) throws {
        let rows = try items.map { item in
            guard let spine = item.spine else { throw HostFailure.invalidRequest("no spine") }
            return try BodyCoding.encode(ScannedBook(spine.reading, photo: spine.photo))
        }
        let outcomes = zip(items, rows).map { item, row in
            var outcome = ItemOutcome(
                key: item.key, workClass: item.workClass, errorCode: nil, title: item.query.displayTitle,
                followUp: .none, rowLength: row.readableBytes)
            outcome.isVerified = isVerified
            outcome.identity = item.query.displayTitle
            return outcome
        }
        let work = RecordWork(outcomes: outcomes, rows: rows)
        try host.perform { [link] engine, turn in try engine.record(work, from: link.id, turn) }
    }
}
