import BookstrackContract
import HTTPTypes
import Hummingbird
import JSONRPC
import SuiteMethods

/// The status and counts of an import (imports.md "Routes"). If the job's identifier is a version 4 UUID, no token is needed, since nothing else is
/// shown.
struct ImportStatusRoutes: Sendable {
    let host: RPCClient

    var routes: [Route] {
        [
            Route(.get, "/v1/csv/status/{jobId}", limit: .jobReading) { request, context in
                let state = try await read(request, context)
                return answer(state, status: state.status.rawValue, context)
            },
            Route(.get, "/api/v2/imports/{jobId}", limit: .jobReading) { request, context in
                let state = try await read(request, context)
                return answer(state, status: state.status.shippedName, context)
            },
        ]
    }

    private func read(_ request: Request, _ context: ProxyContext) async throws -> ReadJobProgress.Result {
        let jobId = try context.jobId()
        let token = BearerToken.read(request.headers[.authorization])
        guard token != nil || jobId.isRandomUUID else { throw APIFailure.tokenMissing }
        return try await host.call(ReadJobProgress.self, JobAccess(jobId: jobId, token: token))
    }

    private func answer(_ state: ReadJobProgress.Result, status: String, _ context: ProxyContext) -> Response {
        .json(
            .ok,
            FlatEnvelope(
                data: ImportStatus(
                    jobId: state.jobId, status: status, progress: state.progress, processedCount: state.processedCount,
                    totalCount: state.totalCount), metadata: context.exchange.metadata))
    }
}

/// The counts and the status of an import.
struct ImportStatus: Codable, Sendable {
    var jobId: JobID
    var status: String
    /// The job's progress, from 0 to 1.
    var progress: Double
    var processedCount: Int
    var totalCount: Int
}

extension JobStatus {
    /// The five job states that the shipped apps distinguish.
    static let shippedNames = ["PENDING", "PROCESSING", "COMPLETED", "FAILED", "CANCELLED"]

    fileprivate var shippedName: String {
        switch self {
        case .pending: "PENDING"
        case .processing: "PROCESSING"
        case .completed: "COMPLETED"
        case .failed: "FAILED"
        case .cancelling, .cancelled: "CANCELLED"
        }
    }
}
