/// Reads a library file and returns the beginning of what an import would produce, without starting a job. Called with `callRaw`; the result is the
/// response's data as JSON (imports.md "Preview"). Answered by enrichment-worker, which runs at most two previews at a time.
///
/// Application errors: the code of an ``ImportFault``, with the fault as details; `INVALID_REQUEST` for malformed options; `SERVICE_UNAVAILABLE`
/// while two other previews are running.
package enum PreviewImport {
    package static let name = "imports.preview"
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// Path of the file.
        package var path: String
        /// Name of the file as given by the client.
        package var fileName: String
        /// The reader's options as JSON text; `{}` for none.
        package var options: String

        package init(path: String, fileName: String, options: String = "{}") {
            self.path = path
            self.fileName = fileName
            self.options = options
        }
    }
}
