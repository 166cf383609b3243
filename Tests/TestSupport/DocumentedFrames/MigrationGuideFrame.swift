/// A frame as v2 clients decode it.
package struct WebSocketMessageV2: Decodable {
    package let type: String
    package let jobId: String
    package let pipeline: String
    package let timestamp: Int64
    package let version: String
    package let payload: MessagePayload
}

package struct MessagePayload: Decodable {
    package let type: String
    package let progress: Double?
    package let status: String?
    package let booksProcessed: Int?
    package let totalBooks: Int?
    package let result: JobResult?
    package let error: ErrorInfo?
}

package struct JobResult: Decodable {
    package let totalBooks: Int
    package let successCount: Int
    package let failureCount: Int
}

package struct ErrorInfo: Decodable {
    package let code: String
    package let message: String
}
