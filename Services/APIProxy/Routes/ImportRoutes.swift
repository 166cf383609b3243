import BookstrackContract
import HTTPTypes
import Hummingbird
import ImageFiles
import JSONRPC
import NIOCore
import Observability
import SuiteMethods

/// Uploads of library files: imports, which start a job, and previews (imports.md "Routes").
struct ImportRoutes: Sendable {
    static let importPaths = ["/v1/csv/import", shippedAppPath, "/api/v2/imports"]
    /// The shipped app that uses this path reads the books from the `job_complete` frame (websocket.md "Payloads").
    private static let shippedAppPath = "/api/import/csv-gemini"
    static let previewPath = "/v1/csv/preview"
    /// Name for a file that was sent without one.
    private static let namelessFile = "import.csv"

    let host: RPCClient
    let workers: WorkerLinks
    let uploads: UploadReceiver
    let aborted: AbortedConnections
    /// Maximum file size, in bytes.
    let maxFileBytes: Int

    var routes: [Route] {
        Self.importPaths.map { path in
            Route(.post, path, limit: .import) { request, context in
                try await uploads.receive(request, context, form) { try await start($0, path, request, context) }
            }
        } + [
            Route(.post, Self.previewPath, limit: .import) { request, context in
                try await uploads.receive(request, context, form) { try await preview($0, context) }
            }
        ]
    }

    private var form: UploadForm {
        UploadForm(
            files: ["file"], storedName: { _ in "file" }, hasLines: true, fields: ImportRequest.fields,
            maxFileBytes: maxFileBytes,
            refusal: { $0.map(APIFailure.notALibrary) })
    }

    private func start(
        _ upload: Upload, _ path: String, _ request: Request, _ context: ProxyContext
    ) async throws -> Response {
        let wanted = try ImportRequest(upload.fields)
        context.exchange.activity.concern(job: wanted.jobId.text)
        let filename = upload.fileName ?? Self.namelessFile
        let job = try await host.call(
            BeginImport.self,
            .init(
                jobId: wanted.jobId, sha256: upload.contents.sha256, fileName: filename, bytes: upload.contents.bytes,
                lines: upload.contents.lineEnds, options: wanted.options, enrich: wanted.enrich,
                origin: JobOrigin(
                    client: uploads.trustedProxies.shareKey(peer: context.peer, fields: request.headers),
                    shownToken: BearerToken.read(request.headers[.authorization]), priority: .low,
                    completionBooks: path == Self.shippedAppPath ? .imported : .none)))
        try await uploads.deliver(upload, for: job, to: host)
        return .envelope(
            .accepted,
            StartedImport(
                jobId: job.jobId, token: job.token, status: job.status, filename: filename,
                bytes: upload.contents.bytes, estimate: .libraryFile,
                enrichment: job.enrichment.map { .init(jobId: $0.jobId, token: $0.token) }), context)
    }

    /// Previews a library file. The worker reads the file in place; ``UploadReceiver`` deletes it afterwards.
    private func preview(_ upload: Upload, _ context: ProxyContext) async throws -> Response {
        let wanted = try ImportRequest(upload.fields)
        let parameters = PreviewImport.Parameters(
            path: upload.file.path, fileName: upload.fileName ?? Self.namelessFile, options: wanted.options)
        let body = try BodyCoding.encode(parameters)
        let data = try await aborted.cancelling(context.channel) { [workers] () throws -> ByteBuffer in
            do throws(RPCError) {
                return try await workers.callRaw(PreviewImport.name, body, deadline: PreviewImport.deadline)
            } catch {
                throw APIFailure(preview: error) ?? error
            }
        }
        var text = ByteBuffer(staticString: "{\"data\":")
        text.writeImmutableBuffer(data)
        text.writeStaticString(",\"metadata\":")
        text.writeImmutableBuffer(JSONBody.encode(context.exchange.metadata))
        text.writeStaticString(",\"success\":true}")
        return Response(status: .ok, headers: [.contentType: StandardFields.json], body: .init(byteBuffer: text))
    }
}

extension APIFailure {
    /// The failure of a preview; nil if the error states the reason itself: the worker's own error, overload or cancellation. Reading a large file, or
    /// asking a model what the columns mean, may take longer than the deadline allows; an import has time for both.
    init?(preview error: RPCError) {
        guard error.applicationCode == nil, error != .overloaded, error != .cancelled else { return nil }
        guard error == .deadlineExceeded else {
            self = .workerUnavailable
            return
        }
        self.init(
            .serviceUnavailable,
            "The preview took more than \(PreviewImport.deadline.components.seconds) s. Import the file instead.",
            retryAfter: 60)
    }

    /// The failure for a file that is not a library file.
    fileprivate static func notALibrary(_ signature: FileSignature) -> APIFailure {
        APIFailure(
            .unsupportedMediaType, signature.libraryRefusal,
            details: [
                "detected": .text(signature.rawValue),
                "accepted": .list(["text/csv", "application/json", "text/plain"]),
            ])
    }
}
