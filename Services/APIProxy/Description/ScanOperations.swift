import BookstrackContract
import HTTPTypes
import ImageFiles

/// Scans of photos, and their results (scans.md "Routes").
enum ScanOperations {
    static let all: [APIOperation] = [
        APIOperation(
            method: .post, paths: ScanRoutes.photoPaths, id: "startScan", group: .scans,
            summary: "Recognize the books in a photo",
            notes:
                "Send the photo itself as the body, or a form with one `photo` part. "
                + "The photo must be a JPEG, PNG, WebP or HEIC image of at most 10 MiB. The type is "
                + "determined from the photo's first bytes, not from the declared type. Repeating a scan with the same `jobId` and the same photo "
                + "returns the same job; a different photo returns 409. The members of `data` are also at the top level.",
            parameters: [.query("jobId", .newJobId, "Same as the form part with this name.")],
            body: RequestBody(schema: .scanUpload, type: "multipart/form-data", takesFile: true),
            answers: [.flatEnvelope(202, .startedScan, "The job and its photo are on disk.")],
            failures: [.jobExists, .scannerUnavailable, .quotaExhausted, .serviceUnavailable]),
        APIOperation(
            method: .post, paths: ScanRoutes.batchPaths, id: "startBatchScan", group: .scans,
            summary: "Recognize the books in up to five photos",
            notes:
                "Send a form with up to five `photos` parts, or the photos in base64 as JSON; each photo may be at most 10 MiB. A book that appears in several photos is returned once. The members of `data` are also at the top level.",
            parameters: [.query("jobId", .newJobId, "Same as the form part or member with this name.")],
            body: RequestBody(schema: .batchScanUpload, type: "multipart/form-data", jsonSchema: .batchScanPhotos),
            answers: [.flatEnvelope(202, .startedBatchScan, "The job and its photos are on disk.")],
            failures: [.batchTooLarge, .jobExists, .scannerUnavailable, .quotaExhausted, .serviceUnavailable]),
        APIOperation(
            method: .get, paths: ["/v1/scan/results/{jobId}"], id: "readScanResults", group: .scans,
            summary: "Read the results of a scan",
            notes:
                "Until the scan ends, and if it failed without results or was cancelled, the response is 404 with the scan's status in `details`.",
            parameters: [.jobId], answers: OperationAnswer.envelope(200, .scanResults, "The books.").tagged,
            failures: [.notFound, .serviceUnavailable]),
        APIOperation(
            method: .get, paths: [ScanPhotoRoute.path], id: "readScanPhoto", group: .scans,
            summary: "Read one of a scan's photos",
            notes:
                "Without its location, time and camera metadata. With `Accept: application/octet-stream`, the response has that type.",
            parameters: [
                .jobId,
                Parameter(
                    name: "index", place: .path, isRequired: true, schema: .integer(0...4),
                    meaning: "Zero-based index of the photo."),
            ],
            answers: [
                OperationAnswer(
                    status: 200, meaning: "The photo.", schema: .bytes,
                    types: ImageType.allCases.map(\.mediaType) + [StandardFields.anyBytes])
            ],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable], needsToken: true),
    ]
}

/// Scans of photos (scans.md "Results").
enum ScanSchemas {
    static let upload = Schema.object([
        .required("photo", .bytes, "The photo; the part may have any name if it has a file name."),
        .optional("jobId", .newJobId, "Your own identifier; repeating it with the same photo returns the same job."),
    ])

    static let batchUpload = Schema.object([
        .required("photos", .bytes, "A photo; the part may occur up to five times."),
        .optional("jobId", .newJobId, "Your own identifier; repeating it with the same photos returns the same job."),
    ])

    static let batchPhotos = Schema.object([
        .required(
            "images",
            .list(
                of: .object([
                    .optional(
                        "index", .integer(PhotoBatchParser.indexes),
                        "Orders the photos, which are then numbered from 0; by default, the position in the list."),
                    .required("data", .text, "The photo in base64; a data URI also works."),
                ]), atMost: ScanLimit.photos)),
        .optional("jobId", .newJobId, "Your own identifier; repeating it with the same photos returns the same job."),
    ])

    static let startedBatch = Schema.object(
        [
            .required("jobId", .jobId),
            .required("token", .text, "The job's token, valid for two hours by default."),
            .required("authToken", .text, "Same as `token`."),
            .required("totalPhotos", .count),
            .required("status", .text, "Always \"processing\"."),
            .required("statusUrl", .text),
        ] + BatchSchemas.addresses)

    static let started = Schema.object(
        [
            .required("jobId", .jobId),
            .required("token", .text, "The job's token, valid for two hours by default."),
            .required("authToken", .text, "Same as `token`."),
            .required("status", .text, "Always \"started\"."),
            .required("websocketReady", .flag, "Always true."),
            .required("message", .text, "Human-readable message."),
            .required(
                "stages",
                .list(
                    of: .object([
                        .required("name", .text), .required("typicalDuration", .count, "Seconds."),
                        .required("progress", .fraction, "Progress of the job at the end of the stage."),
                    ]), atMost: 3)),
            .required("estimatedRange", .list(of: .count), "Minimum and maximum, in seconds."),
            .required("statusUrl", .text),
        ] + BatchSchemas.addresses)

    static let box = Schema.object([
        .required("x", .fraction, "Left edge."), .required("y", .fraction, "Upper edge."),
        .required("width", .fraction), .required("height", .fraction),
        .required("x1", .fraction, "Same as `x`."), .required("y1", .fraction, "Same as `y`."),
        .required("x2", .fraction, "Right edge."), .required("y2", .fraction, "Lower edge."),
    ])

    static let photo = Schema.object([
        .required("index", .count, "Zero-based index of the photo."),
        .required("status", .choice(of: ScannedPhoto.Status.self)),
        .required("booksFound", .count),
        .optional("error", .text, "Why the photo could not be read."),
        .optional("width", .count, "In pixels, as displayed."), .optional("height", .count, "In pixels, as displayed."),
        .optional("engine", .text, "The engine that read the photo."),
    ])

    static let book = Schema.object([
        .required("photoIndex", .count, "Zero-based index of the photo."),
        .required("title", .text, "Title of the match, otherwise as read."),
        .required("author", .text, "Author of the match, otherwise as read; empty if neither is known."),
        .optional("isbn", .text),
        .required("text", .text, "The text on the spine, as read."),
        .required("confidence", .fraction),
        .required("boundingBox", .named(.boundingBox), "The spine, as fractions of the photo's width and height."),
        .required("reviewStatus", .choice(of: ReviewStatus.self), "`verified` for an approved book."),
        .required("format", .choice(["hardcover", "paperback", "mass-market", "unknown"])),
        .required("enrichmentStatus", .choice(["success", "not_found", "failed"])),
        .optional(
            "enrichment",
            .object([
                .required("status", .text, "Always \"success\"."), .required("work", .named(.work)),
                .required("editions", .list(of: .edition)), .required("authors", .list(of: .author)),
                .required(
                    "apiData",
                    .object([
                        .required("title", .text), .required("authors", .list(of: .text)), .optional("isbn", .text),
                        .optional("coverUrl", .text), .optional("publisher", .text),
                        .optional("publicationYear", .text),
                    ]), "The same data in short form, for early apps."),
            ]), "Present if a provider has the book."),
        .optional("candidates", .list(of: .enrichedMetadata, atMost: 3), "Up to three possible matches."),
        .optional("error", .text), .optional("errorCode", .choice(of: ItemErrorCode.self)),
        .optional("retryable", .flag, "Whether a retry may succeed."),
    ])

    static let results = Schema.object([
        .required("jobId", .jobId), .required("resultsRevision", .count),
        .required("expiresAt", .time, "When the results are deleted."),
        .required("totalDetected", .count), .required("approved", .count), .required("needsReview", .count),
        .required("books", .list(of: .scannedBook)), .required("photos", .list(of: .scannedPhoto)),
        .required("metadata", reading),
    ])

    static let reading = Schema.object([
        .required("modelUsed", .text), .required("processingTime", .count, "Milliseconds."),
        .required("enrichedCount", .count, "Books that a provider has."),
        .required("timestamp", .time, "When the scan ended."),
    ])

    static let batchInit = FrameSchemas.payload(
        .batchInit, [.required("totalPhotos", .count), .required("status", .text, "Always \"processing\".")])

    static let batchProgress = FrameSchemas.payload(
        .batchProgress,
        [
            .required("currentPhoto", .count, "Zero-based index of the photo."), .required("totalPhotos", .count),
            .required("photoStatus", .choice(of: ScannedPhoto.Status.self)),
            .required("booksFound", .count, "Spines read in the photo."),
            .required("totalBooksFound", .count, "Books in all photos so far, each counted once."),
            .required("photos", .list(of: .scannedPhoto)),
        ])

    static let batchComplete = FrameSchemas.payload(
        .batchComplete,
        [
            .required("totalBooks", .count),
            .required(
                "photoResults",
                .list(
                    of: .object([
                        .required("photoIndex", .count), .required("index", .count, "Same as `photoIndex`."),
                        .required("booksFound", .count), .required("status", .choice(["success", "error"])),
                        .optional("error", .text),
                    ]))),
            .required("books", .list(of: .scannedBook), "Empty if they do not fit into a frame."),
            .required("resultsUrl", .text, "Path of the results."),
        ])

    static let batchCanceling = FrameSchemas.payload(.batchCanceling, [.required("status", .choice(["job_cancelled"]))])
}
