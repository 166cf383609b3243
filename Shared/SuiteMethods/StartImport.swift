package import BookstrackContract
package import JSONRPC

/// Reserves a job for an uploaded library file. Answered by progress-host; the job is on disk when the answer arrives (imports.md "Life").
///
/// The file is not in its place yet: if ``Result/needsFile`` is true, api-proxy moves it to `uploads/<jobId>/` and then
/// calls ``ImportUploaded``. A reservation whose file does not come within a minute is removed.
///
/// The same jobId with the same digest is the same job, regardless of its state. Application errors: `JOB_EXISTS` with
/// `details{jobId, status}` when the jobId is taken by another file or the caller has no right to another token,
/// `SERVICE_UNAVAILABLE` when storage refuses.
package enum BeginImport: RPCMethod {
    package static let name = "imports.begin"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(10)

    package struct Parameters: Codable, Sendable {
        /// The client's own, or a new one.
        package var jobId: JobID
        /// SHA-256 of the file, 64 lower-case hexadecimal digits: uploads with equal digests are equal.
        package var sha256: String
        /// Name of the file as the client gave it; for display, and a hint at the format.
        package var fileName: String
        /// Size of the file.
        package var bytes: Int
        /// Line ends of the file, counted during the upload: the estimated number of rows.
        package var lines: Int
        /// The client's options for the reader, as JSON text. Passed on unchanged; `{}` for none.
        package var options: String
        /// Whether a linked job then enriches the import's books (imports.md "Linked enrichment").
        package var enrich: Bool
        /// Where the start came from.
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
            /// The job; pending until the import ends.
            package var jobId: JobID
            /// A valid token.
            package var token: String

            package init(jobId: JobID, token: String) {
                self.jobId = jobId
                self.token = token
            }
        }

        /// The job.
        package var jobId: JobID
        /// A valid token; a repeated start gets another one if the caller is authorised (http-api.md "Starting a
        /// job").
        package var token: String
        /// The job's state; for a repeated start it may be any.
        package var status: JobStatus
        /// Whether the job waits for its file: always after a first start, after a repeated one only while no upload has arrived.
        package var needsFile: Bool
        /// Present when the import has a linked job.
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

/// The file of a reserved import, or the photos of a reserved scan, are in their places: a worker may read them. Synced before it is answered, so that the 202 may follow.
///
/// Repeating it is harmless. Application errors: `NOT_FOUND` when there is no such import, `INVALID_REQUEST` when the
/// file is missing, `SERVICE_UNAVAILABLE` when storage refuses.
package enum ImportUploaded: RPCMethod {
    package typealias Result = Nothing
    package static let name = "imports.uploaded"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(10)

    package struct Parameters: Codable, Sendable {
        /// The import.
        package var jobId: JobID

        package init(jobId: JobID) { self.jobId = jobId }
    }
}
