import BookstrackContract
import HTTPTypes

/// Imports of library files, and their results (imports.md "Routes").
enum ImportOperations {
    private static let texts: [Parameter] = [
        .query("jobId", .newJobId, "Same as the form part with this name."),
        .query("mapping", "Same as the form part with this name."),
        .query("format", .choice(of: LibraryFormat.self), "Same as the form part with this name."),
        .query("enrich", .flag, "Same as the form part with this name."),
        .query("ai", .flag, "Same as the form part with this name."),
        .query(
            "filename", "Name of the file, if the body is the file itself.", example: "goodreads_library_export.csv"),
    ]
    private static let body = RequestBody(schema: .importUpload, type: "multipart/form-data", takesFile: true)

    static let all: [APIOperation] = [
        APIOperation(
            method: .post, paths: ImportRoutes.importPaths, id: "startImport", group: .imports,
            summary: "Import a library file",
            notes:
                "Send a form, or the file itself as the body and the other parts in the query. The type is determined from the file's first bytes, "
                + "not from the declared type. Repeating an import with the same `jobId` and the same file returns the same job, as for "
                + "batches; a different file returns 409. Unusable rows do not fail the import; the results list them.",
            parameters: texts, body: body,
            answers: [.envelope(202, .startedImport, "The job and its file are on disk.")],
            failures: [.jobExists, .serviceUnavailable]),
        APIOperation(
            method: .post, paths: [ImportRoutes.previewPath], id: "previewImport", group: .imports,
            summary: "Preview an import", notes: "Does not start a job and stores nothing.",
            parameters: texts, body: body, answers: [.envelope(200, .importPreview, "The first books of the library.")],
            failures: [.csvParseError, .batchTooLarge, .serviceUnavailable]),
        APIOperation(
            method: .get, paths: ["/v1/csv/results/{jobId}"], id: "readImportResults", group: .imports,
            summary: "Read the results of an import",
            notes:
                "Until the import ends, and if it failed or was cancelled, the response is 404 with the import's status in `details`. "
                + "The CSV can be imported again; `rows=failed` returns the rows that could not become books, "
                + "as they appear in the file.",
            parameters: [
                .jobId, .query("format", .choice(["json", "csv"]), "json by default."),
                .query("rows", .choice(["failed"]), "Only the rows that could not become books; needs `format=csv`."),
            ],
            answers: OperationAnswer.envelope(200, .importResults, "The library.").or("text/csv").tagged,
            failures: [.notFound, .serviceUnavailable]),
        APIOperation(
            method: .get, paths: ["/api/v2/imports/{jobId}/results"], id: "readImportResultsOfApps", group: .imports,
            summary: "Read the results of an import or a scan, in the format that shipped apps read",
            parameters: [.jobId],
            answers: OperationAnswer.envelope(200, .shippedJobResults, "The library, or the scan's books.").tagged,
            failures: [.notFound, .serviceUnavailable]),
        status("/v1/csv/status/{jobId}", "readImportStatus", .importStatus),
        status("/api/v2/imports/{jobId}", "readImportStatusOfApps", .shippedImportStatus),
    ]

    private static func status(_ path: String, _ id: String, _ data: SchemaName) -> APIOperation {
        APIOperation(
            method: .get, paths: [path], id: id, group: .imports, summary: "Read the status of an import",
            notes: "The token may be omitted if the `jobId` is a version 4 UUID; if a token is sent, it must be valid.",
            parameters: [.jobId],
            answers: [.flatEnvelope(200, data, "Status and counts.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable])
    }
}
