/// The envelope of websocket.md "Frames".
package struct ContractFrame<Payload: Decodable>: Decodable {
    package let type: String
    package let jobId: String
    package let pipeline: String
    package let timestamp: Int64
    package let version: String
    package let payload: Payload
}

/// The members that the contract documents for an enrichment's payloads (websocket.md "Payloads"); all of them are required.
package enum ContractPayload {
    package struct JobStarted: Decodable {
        package let type: String
        package let totalItems: Int
        package let estimatedDuration: Int
    }

    package struct JobProgress: Decodable {
        package let type: String
        package let progress: Double
        package let status: String
        package let processedCount: Int
        package let currentItem: String
    }

    package struct JobComplete: Decodable {
        package let type: String
        package let resultsUrl: String
    }

    package struct Failure: Decodable {
        package struct Details: Decodable {}
        package let type: String
        package let code: String
        package let message: String
        package let retryable: Bool
        package let details: Details
    }

    package struct ReadyAck: Decodable {
        package let type: String
        package let timestamp: Int64
    }

    package struct Reconnected: Decodable {
        package let type: String
        package let progress: Double
        package let status: String
        package let processedCount: Int
        package let totalCount: Int
        package let lastUpdate: Int64
        package let message: String
    }
}
