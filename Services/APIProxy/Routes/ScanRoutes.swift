import BookstrackContract
import Crypto
import HTTPTypes
import Hummingbird
import ImageFiles
import JSONRPC
import NIOCore
import Observability
import SuiteMethods

/// Scans of photos (scans.md "Routes").
struct ScanRoutes: Sendable {
    static let photoPaths = ["/api/scan-bookshelf", "/v1/scan"]
    static let batchPaths = ["/api/scan-bookshelf/batch", "/api/batch-scan", "/v1/scan/batch"]
    /// Names of the text fields besides the photo.
    private static let fields: Set<String> = ["jobId"]

    let host: RPCClient
    let uploads: UploadReceiver
    let scanner: ScannerWatch

    var routes: [Route] {
        Self.photoPaths.map { route($0, Self.photoForm, isBatch: false) }
            + Self.batchPaths.map { route($0, Self.batchForm, isBatch: true) }
    }

    private func route(_ path: String, _ form: UploadForm, isBatch: Bool) -> Route {
        Route(.post, path, limit: .scan) { request, context in
            try await scanner.check()
            return try await uploads.receive(request, context, form) { upload in
                try await start(upload, isBatch: isBatch, request, context)
            }
        }
    }

    private static let photoForm = UploadForm(
        files: ["photo", "image", "file"], takesAnyFile: true, storedName: { "photo-\($0)" }, fields: fields,
        maxFileBytes: ScanLimit.photoBytes, refusal: { APIFailure.notAPhoto($0) })
    private static let batchForm = UploadForm(
        files: ["photos", "photos[]"], storedName: { "photo-\($0)" }, maxFiles: ScanLimit.photos, takesPhotoJSON: true,
        fields: fields, maxFileBytes: ScanLimit.photoBytes, refusal: { APIFailure.notAPhoto($0) })

    private func start(
        _ upload: Upload, isBatch: Bool, _ request: Request, _ context: ProxyContext
    ) async throws -> Response {
        let jobId = try JobID(newFrom: upload.fields["jobId"])
        context.exchange.activity.concern(job: jobId.text)
        let job = try await host.call(
            BeginScan.self,
            .init(
                jobId: jobId, sha256: upload.digest, photos: upload.allContents.map(\.bytes), isBatch: isBatch,
                isTokenless: upload.isPhotoJSON && jobId.isRandomUUID,
                origin: JobOrigin(
                    client: uploads.trustedProxies.shareKey(peer: context.peer, fields: request.headers),
                    shownToken: BearerToken.read(request.headers[.authorization]), priority: .normal)))
        try await uploads.deliver(upload, for: job, to: host)
        let metadata = context.exchange.metadata
        guard isBatch else {
            return .json(
                .accepted, FlatEnvelope(data: StartedScan(jobId: job.jobId, token: job.token), metadata: metadata))
        }
        let started = StartedBatchScan(jobId: job.jobId, token: job.token, totalPhotos: upload.files.count)
        return .json(.accepted, FlatEnvelope(data: started, metadata: metadata))
    }
}

extension Upload {
    /// Identifies the upload: the file's SHA-256 or, for several files, the SHA-256 of their joined hexadecimal digests.
    fileprivate var digest: String {
        guard allContents.count > 1 else { return contents.sha256 }
        return SHA256.hash(data: Array(allContents.map(\.sha256).joined().utf8)).hexadecimal
    }
}

extension JobID {
    /// The client's own identifier, or a new one if the text is absent or empty. Throws `APIFailure`.
    init(newFrom text: String?) throws(APIFailure) {
        guard let text, !text.isEmpty else {
            self = .random()
            return
        }
        guard let id = JobID(text), text.utf8.count >= JobID.shortestNew else {
            throw .invalid("jobId", JobID.rule(shortest: JobID.shortestNew))
        }
        self = id
    }
}

/// The envelope, with the members of `data` repeated at the top level, where shipped apps read them.
struct FlatEnvelope<Content: Encodable>: Encodable {
    var data: Content
    var metadata: ResponseMetadata

    private enum CodingKeys: String, CodingKey { case success, data, metadata }

    func encode(to encoder: any Encoder) throws {
        try data.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(true, forKey: .success)
        try container.encode(data, forKey: .data)
        try container.encode(metadata, forKey: .metadata)
    }
}

/// Asks the workers whether an engine of any of them can read photos, so that clients do not upload photos in vain.
actor ScannerWatch {
    /// How long a report that an engine is available remains valid. Other reports are not cached, so photos are accepted as soon as an engine can
    /// read them.
    private static let lifetime = Duration.seconds(10)

    private let workers: WorkerLinks
    private let clock: any SuiteClock
    private var availableUntil: Duration?

    init(workers: WorkerLinks, clock: any SuiteClock = SystemClock()) {
        self.workers = workers
        self.clock = clock
    }

    /// Throws 503 if no engine can read photos. While no worker responds, photos are accepted and wait to be read.
    func check() async throws(APIFailure) {
        switch await readiness() {
        case nil, .available: return
        case .unavailable:
            throw APIFailure(
                .scannerUnavailable, "No service that reads photos is available at the moment.", retryAfter: 30)
        case .quotaExhausted:
            throw APIFailure(
                .quotaExhausted, "Today's AI requests are used up. Please try again tomorrow.", retryAfter: 3_600)
        }
    }

    private func readiness() async -> PhotoReadiness? {
        if let availableUntil, clock.uptime < availableUntil { return .available }
        let answers = await answers()
        let photos = [PhotoReadiness.available, .quotaExhausted, .unavailable].first(where: answers.contains)
        availableUntil = photos == .available ? clock.uptime + Self.lifetime : nil
        return photos
    }

    /// The reports of the workers that respond.
    private nonisolated func answers() async -> Set<PhotoReadiness> {
        await withTaskGroup { group in
            for link in workers.links where link.client.isConnected {
                group.addTask { try? await link.client.call(HealthCheck.self, Nothing()).photos }
            }
            var answers: Set<PhotoReadiness> = []
            for await case let photos? in group {
                answers.insert(photos)
                guard photos != .available else { break }
            }
            // Once one worker reports an available engine, the other reports do not matter.
            group.cancelAll()
            return answers
        }
    }
}

extension APIFailure {
    /// The failure for a file that engines cannot read; nil for an image that they can read.
    fileprivate static func notAPhoto(_ signature: FileSignature?) -> APIFailure? {
        switch signature {
        case .jpeg, .png, .webp, .heif: return nil
        default:
            let kind = signature.map { "This is \($0.name), not a photo. " } ?? "This is not a photo. "
            return APIFailure(
                .unsupportedMediaType, "\(kind)Send a JPEG, PNG, WebP or HEIC image.",
                details: [
                    "detected": .text(signature?.rawValue ?? "unknown"),
                    "accepted": .list(["image/jpeg", "image/png", "image/webp", "image/heic"]),
                ])
        }
    }
}
