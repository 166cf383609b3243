/// Payloads as the newest generation of clients reads them.
package enum PhaseTwoPayload {
    /// The structured payload of `error`.
    package struct Failure: Decodable {
        package struct Details: Decodable {
            package let failureCount: Int
            package let successCount: Int
            package let provider: String?
        }

        package let code: String
        package let message: String
        package let userMessage: String
        package let affectedItems: [String]?
        package let retryable: Bool
        package let details: Details
    }

    /// The members of `job_progress` that progress handlers read.
    package struct Progress: Decodable {
        package let processedCount: Int
        package let currentTitle: String
        package let userMessage: String
    }

    /// The payload of `pong`.
    package struct Heartbeat: Decodable {
        package let clientTime: Int64?
    }

    /// The payload of `job_complete`, with the counts at its top level.
    package struct Completion: Decodable {
        package let successCount: Int
        package let failureCount: Int
        package let duration: Int
    }
}
