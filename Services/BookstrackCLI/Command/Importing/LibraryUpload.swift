import BookstrackContract
import Foundation
import NIOCore
import NIOFoundationCompat

/// A library file and what to do with it, ready to be sent as `multipart/form-data` (RFC 7578).
struct LibraryUpload {
    /// What to tell the server about the file.
    struct Options: Equatable {
        /// The application that wrote the file; nil if the server recognises it.
        var format: LibraryFormat?
        var mapping: [MappingArgument] = []
        /// Whether to look up metadata afterwards.
        var enriches = true
        /// Whether an AI model may be asked what unknown columns mean.
        var mayAskModel = true
    }

    /// Sending the file again under the same identifier gives the same job (imports.md "Routes").
    let jobId: JobID
    let contentType: String
    let body: ByteBuffer

    /// Reads a file, or standard input if it is `-`. Throws `CommandFailure`.
    init(file: String, options: Options) throws {
        let bytes: Data
        do {
            bytes =
                file == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data()
                : try Data(contentsOf: URL(filePath: file), options: .mappedIfSafe)
        } catch {
            throw CommandFailure(.noInput, "cannot read \(file): \(error.localizedDescription)")
        }
        guard !bytes.isEmpty else { throw CommandFailure(.badInput, "\(file) is empty") }
        try self.init(
            name: file == "-" ? "library.csv" : URL(filePath: file).lastPathComponent, bytes: bytes, options: options)
    }

    /// - Parameters:
    ///   - name: The file's name, for display.
    ///   - boundary: Separates the parts; must not occur in the file.
    init(
        jobId: JobID = .random(), name: String, bytes: Data, options: Options,
        boundary: String = "bookstrack-\(UUID().uuidString)"
    ) throws {
        self.jobId = jobId
        contentType = "multipart/form-data; boundary=\(boundary)"
        var fields = [("jobId", jobId.text), ("enrich", options.enriches ? "true" : "false")]
        if let format = options.format { fields.append(("format", format.rawValue)) }
        if !options.mayAskModel { fields.append(("ai", "false")) }
        if !options.mapping.isEmpty {
            let roles = Dictionary(options.mapping.map { ($0.column, $0.role.rawValue) }, uniquingKeysWith: { $1 })
            fields.append(("mapping", try OutputOptions.jsonLine(roles)))
        }
        var body = ByteBuffer()
        body.reserveCapacity(bytes.count + 1_024)
        for (name, value) in fields {
            body.writeString("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n")
        }
        body.writeString(
            """
            --\(boundary)\r
            Content-Disposition: form-data; name="file"; filename="\(Self.quoted(name))"\r
            Content-Type: application/octet-stream\r
            \r

            """)
        body.writeData(bytes)
        body.writeString("\r\n--\(boundary)--\r\n")
        self.body = body
    }

    /// A file name inside quotes (html.spec.whatwg.org, "multipart/form-data encoding algorithm").
    static func quoted(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "%22"
            case "\r": "%0D"
            case "\n": "%0A"
            default: String(scalar)
            }
        }.joined()
    }
}
