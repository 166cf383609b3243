/// Reads the beginning of a library file without a job, called with `callRaw`; the result is the answer's data as JSON (imports.md
/// "Preview"). Answered by enrichment-worker, two at once.
///
/// Application errors: `CSV_PARSE_ERROR` and `BATCH_TOO_LARGE` with the details of an ``ImportFault``,
/// `SERVICE_UNAVAILABLE` while two others are running.
package enum PreviewImport {
    package static let name = "imports.preview"
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// Path of the file.
        package var path: String
        /// Name of the file as the client gave it.
        package var fileName: String
        /// JSON text of the reader's options; `{}` for none.
        package var options: String

        package init(path: String, fileName: String, options: String = "{}") {
            self.path = path
            self.fileName = fileName
            self.options = options
        }
    }
}
