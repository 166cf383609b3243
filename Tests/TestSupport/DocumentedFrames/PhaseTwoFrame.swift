/// Payloads as the newest generation of clients reads them.
package enum PhaseTwoPayload {
    /// Task 3, "Structured Error Payload".
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

    /// Tasks 2 and 4: the members that progress handlers read.
    package struct Progress: Decodable {
        package let processedCount: Int
        package let currentTitle: String
        package let userMessage: String
    }

    /// Task 1, "Update handleMessage to process pong".
    package struct Heartbeat: Decodable {
        package let clientTime: Int64?
    }

    /// Task 3, `completeV2`: counts at the top level.
    package struct Completion: Decodable {
        package let successCount: Int
        package let failureCount: Int
        package let duration: Int
    }
}
