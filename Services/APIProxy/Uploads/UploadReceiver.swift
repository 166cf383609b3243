import BookstrackContract
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Observability

/// The form of upload that a route accepts.
struct UploadForm: Sendable {
    /// Name of the part that is the file.
    var file: String
    /// Names of the parts, or of the query's items, that are texts; others are ignored.
    var fields: Set<String>
    /// Longest file, in bytes.
    var largestFile: Int
    /// The failure for a file of an unwanted type, judged by its first bytes; nil if the type is accepted.
    var refusal: @Sendable (FileSignature) -> APIFailure?
}

/// An uploaded file and the other fields of its request, while the request is being answered.
struct Upload: Sendable {
    let file: IncomingFile
    let contents: UploadedContents
    /// The client's name for the file; nil when it gave none. It is shown, and never used as a path.
    let fileName: String?
    /// Texts by their names.
    let fields: [String: String]
}

/// Reads uploads to the disk: a form with one file, or a body that is the file (http-api.md "Uploads").
///
/// Each piece of a body is read once the one before is on the disk, so that an upload takes little memory, whatever its size and speed.
struct UploadReceiver: Sendable {
    let directory: UploadDirectory
    let gate: UploadGate
    let trustedProxies: TrustedProxies
    let metrics: UploadMetrics
    let tail: TailHub
    var threads = NIOThreadPool.singleton

    /// Reads an upload and passes it to `body`; afterwards the file is deleted, unless it was kept.
    ///
    /// - Throws: 400, 408, 413, 415 or 503, or what `body` throws.
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

    /// Counts an upload that has ended, and publishes it to `bookstrack tail`.
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
        let place = try gate.enter(client, bytes: form.largestFile, stored: stored)
        defer { withExtendedLifetime(place) {} }
        let file = try await threads.runIfActive { [directory] in try directory.makeFile() }
        context.wantBody(of: request)
        do {
            for try await piece in request.body {
                if let bytes = try reading.receive(piece) { try await write(bytes, to: file) }
            }
            if let bytes = try reading.finish() { try await write(bytes, to: file) }
            let contents = try await threads.runIfActive {
                try file.sync()
                return file.contents
            }
            let response = try await body(
                Upload(file: file, contents: contents, fileName: reading.fileName, fields: reading.fields))
            await remove(file)
            return (response, contents.bytes)
        } catch {
            await remove(file)
            throw error
        }
    }

    /// Moves an upload to where the other services find it; false if the job already has another file.
    func keep(_ upload: Upload, as job: JobID) async throws -> Bool {
        try await threads.runIfActive { [directory] in
            try directory.keep(upload.file, as: job.text)
                || directory.keptDigest(of: job.text) == upload.contents.sha256
        }
    }

    private func write(_ bytes: ByteBuffer, to file: IncomingFile) async throws {
        try await threads.runIfActive { try file.append(bytes) }
        metrics.wrote(bytes.readableBytes)
    }

    /// Deletes the file, even if the request's task is cancelled. A file that was kept has moved to another folder by
    /// then.
    private func remove(_ file: IncomingFile) async {
        await withCheckedContinuation { continuation in
            threads.submit { _ in
                file.remove()
                continuation.resume()
            }
        }
    }
}
