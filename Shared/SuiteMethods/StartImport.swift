package import BookstrackContract
package import JSONRPC

/// Reserves a job for an uploaded library file. Answered by progress-host; the job is on disk when the response arrives (imports.md "Life").
///
/// The file has not been moved yet: if ``Result/needsFile`` is true, api-proxy moves it to `uploads/<jobId>/` and then calls ``ImportUploaded``. A
/// reservation is removed if its file does not arrive within a minute.
///
/// The same jobId with the same digest refers to the same job, regardless of its state. Application errors: `JOB_EXISTS` with `details{jobId,
/// status}` if the jobId is in use with a different file or the caller is not entitled to another token; `INVALID_REQUEST` for an empty file;
/// `SERVICE_UNAVAILABLE`, for example if storage refuses writes, or if, with the linked job, all open jobs or those of the client would have too many
/// items without an outcome. The linked job's items are estimated from `lines`.
package enum BeginImport: RPCMethod {
    package static let name = "imports.begin"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(10)

    package struct Parameters: Codable, Sendable {
        /// The client's own identifier, or a new one.
        package var jobId: JobID
        /// SHA-256 of the file, 64 lower-case hexadecimal digits: uploads with equal digests count as equal.
        package var sha256: String
        /// Name of the file as given by the client; for display, and as a hint about the format.
        package var fileName: String
        /// Size of the file in bytes.
        package var bytes: Int
        /// Number of line breaks in the file, counted during the upload: an estimate of the number of rows.
        package var lines: Int
        /// The client's options for the reader as JSON text, passed on unchanged; `{}` for none.
        package var options: String
        /// Whether a linked job enriches the import's books afterwards (imports.md "Linked enrichment").
        package var enrich: Bool
        /// Origin of the start request.
        package var origin: JobOrigin

        package init(
            jobId: JobID, sha256: String, fileName: String, bytes: Int, lines: Int, options: String = "{}",
            enrich: Bool, origin: JobOrigin
        ) {
            self.jobId = jobId
            self.sha256 = sha256
            self.fileName = fileName
            self.bytes = bytes
            self.lines = lines
            self.options = options
            self.enrich = enrich
            self.origin = origin
        }
    }

    package struct Result: Codable, Sendable {
        /// The linked enrichment job.
        package struct Enrichment: Codable, Sendable, Equatable {
            /// Identifier of the job, which is pending until the import ends.
            package var jobId: JobID
            /// A valid token of the linked job.
            package var token: String

            package init(jobId: JobID, token: String) {
                self.jobId = jobId
                self.token = token
            }
        }

        /// Identifier of the reserved job.
        package var jobId: JobID
        /// A valid token; a repeated start whose caller is not entitled to one fails (http-api.md "Starting a job").
        package var token: String
        /// The job's state; any state is possible after a repeated start.
        package var status: JobStatus
        /// Whether the job is waiting for its file: always true after the first start, and after a repeated start only while the job is
        /// open and no upload has arrived.
        package var needsFile: Bool
        /// The linked job; nil if there is none, and after a repeated start if that job cannot have another token.
        package var enrichment: Enrichment?

        package init(
            jobId: JobID, token: String, status: JobStatus, needsFile: Bool, enrichment: Enrichment? = nil
        ) {
            self.jobId = jobId
            self.token = token
            self.status = status
            self.needsFile = needsFile
            self.enrichment = enrichment
        }
    }
}

/// Reports that the file of a reserved import, or the photos of a reserved scan, have been moved into place, so a worker may read them. The report is
/// synced to disk before the call is answered, so the 202 may follow.
///
/// Repeating the call has no effect. Application errors: `NOT_FOUND` if there is no such import or scan, `INVALID_REQUEST` if a file is missing,
/// `SERVICE_UNAVAILABLE`, for example if storage refuses writes.
package enum ImportUploaded: RPCMethod {
    package typealias Result = Nothing
    package static let name = "imports.uploaded"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(10)

    package struct Parameters: Codable, Sendable {
        /// Identifier of the import or scan.
        package var jobId: JobID

        package init(jobId: JobID) { self.jobId = jobId }
    }
}
