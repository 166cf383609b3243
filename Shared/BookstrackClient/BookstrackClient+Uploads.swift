public import BookstrackContract
public import Foundation

extension BookstrackClient {
    /// Returns what an import of a file would produce: the first rows, and how the columns were interpreted. Nothing is stored.
    public func preview(file: LibraryFile) async throws(BookstrackError) -> ImportPreview {
        try await upload(file.form(jobID: nil, enriches: nil), of: nil, to: "/v1/csv/preview")
    }

    /// Starts importing a library exported from another application. Repeating the call with the same `jobID` and the same file returns the same job.
    ///
    /// With `enriches`, covers and descriptions are looked up by a linked job, which is `enrichment` in the response. Its token is saved as well.
    public func importLibrary(file: LibraryFile, jobID: JobID = .random(), enriches: Bool = false)
        async throws(BookstrackError) -> StartedImport
    {
        let started: StartedImport = try await upload(
            file.form(jobID: jobID, enriches: enriches), of: jobID, to: "/v1/csv/import")
        try await save(started.token, of: started.jobId)
        if let linked = started.enrichment { try await save(linked.token, of: linked.jobId) }
        return started
    }

    /// Starts recognizing the books in up to five shelf photos: JPEG, PNG, WebP or HEIC, at most 10 MiB each.
    ///
    /// Repeating the call with the same `jobID` and the same photos returns the same job.
    public func scan(photos: [Data], jobID: JobID = .random()) async throws(BookstrackError) -> StartedBatchScan {
        var form = MultipartForm()
        form.add("jobId", jobID.text)
        for (index, photo) in photos.enumerated() {
            // The server detects the type from the first bytes (scans.md "Routes").
            form.add("photos", file: photo, named: "photo-\(index)", type: "application/octet-stream")
        }
        let started: StartedBatchScan = try await upload(form, of: jobID, to: "/v1/scan/batch")
        try await save(started.token, of: started.jobId)
        return started
    }

    /// Uploads a form. If the job was started before, its token shows that this client may repeat the start (http-api.md "Starting a job").
    private func upload<Answer: Codable & Sendable>(_ form: MultipartForm, of job: JobID?, to path: String)
        async throws(BookstrackError) -> Answer
    {
        var headers = ["Content-Type": form.contentType]
        if let job, let token = try await storedToken(of: job) { headers["Authorization"] = "Bearer \(token)" }
        return try await answer(
            ClientRequest("POST", path, headers: headers, body: form.body, timeout: .seconds(120)))
    }
}

/// A file exported from another application: CSV, TSV, JSON or a similar format, by default at most 10 MiB.
public struct LibraryFile: Sendable, Equatable {
    /// The file name, for display and as a hint about the format.
    public var name: String
    /// The content of the file.
    public var content: Data
    /// Column roles by header or by number, from 0. They override the roles that the server recognizes.
    public var columns: [String: ColumnRole]
    /// The application that wrote the file; nil to let the server recognize it.
    public var format: LibraryFormat?
    /// Whether the server may query an AI model about columns that it does not recognize.
    public var mayAskModel: Bool

    /// Creates a library file from data in memory.
    public init(
        name: String, content: Data, columns: [String: ColumnRole] = [:], format: LibraryFormat? = nil,
        mayAskModel: Bool = true
    ) {
        self.name = name
        self.content = content
        self.columns = columns
        self.format = format
        self.mayAskModel = mayAskModel
    }

    /// Reads the file at `url`.
    ///
    /// - Throws: ``BookstrackError`` with `storageFailed` if it cannot be read.
    public init(contentsOf url: URL) throws(BookstrackError) {
        do {
            self.init(name: url.lastPathComponent, content: try Data(contentsOf: url))
        } catch {
            throw BookstrackError(.storageFailed, "\(url.lastPathComponent) cannot be read: \(error)")
        }
    }

    func form(jobID: JobID?, enriches: Bool?) throws(BookstrackError) -> MultipartForm {
        var form = MultipartForm()
        if let jobID { form.add("jobId", jobID.text) }
        if let enriches { form.add("enrich", String(enriches)) }
        if let format { form.add("format", format.rawValue) }
        if !mayAskModel { form.add("ai", "false") }
        if !columns.isEmpty {
            let mapping = try BookstrackClient.encode(columns.mapValues(\.rawValue))
            form.add("mapping", String(decoding: mapping, as: UTF8.self))
        }
        form.add("file", file: content, named: name, type: "application/octet-stream")
        return form
    }
}
