import BookstrackContract

/// Body of a cancel or a retry: `{jobId?, token?}`.
struct JobAccessBody {
    /// Longest token that is passed on, in characters; progress-host's are shorter.
    static let longestToken = 512

    var jobId: JobID?
    var token: String?

    /// Throws `JSONFault` or `APIFailure`.
    init(_ bytes: [UInt8]) throws {
        var jobId: JobID?
        var token: String?
        try JSONReader.readBody(bytes) { reader, key in
            switch key {
            case "jobId": jobId = try reader.readJobID(at: key)
            case "token": token = try reader.readText(at: key, limit: Self.longestToken)
            default: try reader.skipValue()
            }
        }
        self.jobId = jobId
        self.token = token
    }
}
