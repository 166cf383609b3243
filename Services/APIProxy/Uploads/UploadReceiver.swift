import BookstrackContract
import HTTPTypes
import Hummingbird
import ImageFiles
import JSONRPC
import NIOCore
import NIOPosix
import Observability
import SuiteMethods

/// The kind of upload that a route accepts.
struct UploadForm: Sendable {
    /// Allowed names for the part that contains the file; messages mention the first one.
    var files: [String]
    /// Whether every part with a file name counts as a file, whatever the name of the part.
    var takesAnyFile = false
    /// The name that the other services expect for a file in the job's folder, depending on the file's position.
    var storedName: @Sendable (Int) -> String
    /// Maximum number of files in an upload.
    var maxFiles = 1
    /// Whether JSON with photos in base64 is accepted (``PhotoBatchParser``).
    var takesPhotoJSON = false
    /// Whether files are text whose lines are counted.
    var hasLines = false
    /// Names of the text parts or query items; others are ignored.
    var fields: Set<String>
    /// Maximum file size, in bytes.
    var maxFileBytes: Int
    /// The failure for a file whose type, determined by its first bytes, is not accepted; nil if it is accepted.
    var refusal: @Sendable (FileSignature?) -> APIFailure?

    /// Maximum total size of the files, in bytes.
    var maxTotalBytes: Int { maxFileBytes * maxFiles }
}

/// Uploaded files and the fields that were sent with them; used only while the request is being answered.
struct Upload: Sendable {
    /// The files in the order of their positions; at least one.
    let files: [IncomingFile]
    /// Size, line count and digest of each file.
    let allContents: [UploadedContents]
    /// The client's name for the file, as it is shown (``ShownFileName``); nil if there is none. It is never used as a path.
    let fileName: String?
    /// Text fields by name.
    let fields: [String: String]
    /// Whether the files were sent as JSON.
    let isPhotoJSON: Bool

    /// The first file.
    var file: IncomingFile { files[0] }
    /// Size, line count and digest of the first file.
    var contents: UploadedContents { allContents[0] }
}

/// Writes uploads to disk: a form with files, a body that is the file, or photos as JSON (http-api.md "Uploads").
///
/// Each piece of a body is read once the previous one has been written, so an upload takes little memory, regardless of its size and speed.
struct UploadReceiver: Sendable {
    let directory: UploadDirectory
    let limiter: UploadLimiter
    let trustedProxies: TrustedProxies
    let metrics: UploadMetrics
    let tail: TailHub
    var threads = NIOThreadPool.singleton

    /// Receives an upload and passes it to `body`. Afterwards, its files are deleted unless they were kept.
    ///
    /// - Throws: The reason why the upload is not accepted, or any error from `body`.
    func receive(
        _ request: Request, _ context: ProxyContext, _ form: UploadForm,
        _ body: (Upload) async throws -> Response
    ) async throws -> Response {
        let activity = context.exchange.activity
        do {
            let (response, bytes) = try await read(request, context, form, body)
            report(.accepted, .init(.uploadAccepted, result: "\(bytes) bytes"), activity)
            return response
        } catch {
            let failure = APIFailure(answering: error)
            report(UploadOutcome(failure), .init(.uploadRefused, code: failure?.code.rawValue), activity)
            throw error
        }
    }

    /// Records the end of an upload in the metrics, and publishes it to `bookstrack tail`.
    private func report(_ outcome: UploadOutcome, _ step: TailSubject.Step, _ activity: Activity) {
        metrics.ended(outcome, after: activity.elapsed)
        tail.publish(TailEntry(step, job: activity.jobID, activity.trace, at: Activity.now, outcome.tail))
    }

    private func read(
        _ request: Request, _ context: ProxyContext, _ form: UploadForm,
        _ body: (Upload) async throws -> Response
    ) async throws -> (Response, bytes: Int) {
        var reading = try UploadReading(request, form)
        let client = trustedProxies.clientNetwork(peer: context.peer, fields: request.headers)
        let stored = try await threads.runIfActive { [directory] in directory.storedBytes() }
        let permit = try limiter.enter(client, bytes: reading.maxStoredBytes, stored: stored)
        defer { withExtendedLifetime(permit) {} }
        var files: [IncomingFile] = []
        context.wantBody(of: request)
        do {
            for try await piece in request.body {
                for part in try reading.receive(piece) { try await write(part, to: &files, form) }
            }
            for part in try reading.finish() { try await write(part, to: &files, form) }
            let order = try reading.order()
            let (sorted, contents) = try await threads.runIfActive { [files] in
                try Self.settle(files, order, form)
            }
            let response = try await body(
                Upload(
                    files: sorted, allContents: contents, fileName: reading.fileName, fields: reading.fields,
                    isPhotoJSON: reading.isPhotoJSON))
            await remove(files)
            return (response, contents.reduce(0) { $0 + $1.bytes })
        } catch {
            await remove(files)
            throw error
        }
    }

    /// Renames the files according to their positions, and syncs them to disk. Blocks.
    private static func settle(
        _ files: [IncomingFile], _ order: [Int], _ form: UploadForm
    ) throws(UploadFault) -> ([IncomingFile], [UploadedContents]) {
        if order != Array(files.indices) {
            for (number, file) in files.enumerated() { try file.rename(to: "arrived-\(number)") }
            for (number, file) in files.enumerated() { try file.rename(to: form.storedName(order[number])) }
        }
        let sorted = zip(order, files).sorted { $0.0 < $1.0 }.map(\.1)
        for file in sorted { try file.sync() }
        return (sorted, sorted.map(\.contents))
    }

    /// If the reserved job is waiting for its files, moves them into place and reports them to progress-host (imports.md "Life"). The job is reserved
    /// first, so a second upload with the same jobId cannot touch the files of the first one. Throws 409 if the job already has different files.
    func deliver(_ upload: Upload, for job: BeginImport.Result, to host: RPCClient) async throws {
        guard job.needsFile else { return }
        guard try await keep(upload, as: job.jobId) else {
            throw APIFailure(
                .jobExists, "A different upload for this job has already been stored.",
                details: ["jobId": .text(job.jobId.text), "status": .text(job.status.rawValue)])
        }
        _ = try await host.call(ImportUploaded.self, .init(jobId: job.jobId))
    }

    /// Moves an upload to where the other services expect it; returns false if the job already has different files.
    private func keep(_ upload: Upload, as job: JobID) async throws -> Bool {
        try await threads.runIfActive { [directory] in
            if try directory.keep(upload.file, as: job.text) { return true }
            return zip(upload.files, upload.allContents).allSatisfy {
                directory.keptDigest(of: job.text, named: $0.name) == $1.sha256
            }
        }
    }

    private func write(_ piece: UploadReading.Piece, to files: inout [IncomingFile], _ form: UploadForm) async throws {
        if piece.file == files.count {
            let name = form.storedName(files.count)
            files.append(
                try await threads.runIfActive { [directory, first = files.first] in
                    try first.map { try IncomingFile(beside: $0, named: name) } ?? directory.makeFile(named: name)
                })
        }
        let file = files[piece.file]
        try await threads.runIfActive { try file.append(piece.bytes, countsLines: form.hasLines) }
        metrics.wrote(piece.bytes.readableBytes)
    }

    /// Deletes the files, even if the request's task is cancelled. Kept files are not affected, because they have moved to another folder.
    private func remove(_ files: [IncomingFile]) async {
        await withCheckedContinuation { continuation in
            threads.submit { _ in
                for file in files { file.remove() }
                continuation.resume()
            }
        }
    }
}
