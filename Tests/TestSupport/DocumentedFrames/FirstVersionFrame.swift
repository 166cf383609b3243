/// A frame as v1 clients decode it.
package struct ProgressMessageV1: Decodable {
    package let type: String
    package let jobId: String
    package let data: ProgressData
}

package struct ProgressData: Decodable {
    package let progress: Double
    package let status: String
}

/// The first clients' `WebSocketMessage` and `ProgressData`.
package struct ArchitectureMessageV1: Decodable {
    package struct Content: Decodable {
        package let progress: Double
        package let processedItems: Int
        package let totalItems: Int
        package let currentStatus: String
        package let currentWorkId: String?
        package let error: String?
    }

    package let type: String
    package let jobId: String
    package let timestamp: Int64
    package let data: Content
}
