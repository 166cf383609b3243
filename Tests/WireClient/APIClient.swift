package import BookstrackContract
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// A client of the public API for tests and benchmarks, which need details that `BookstrackClient` hides from its users: every status, header, frame
/// and close as it arrived (http-api.md).
///
/// Methods throw `APIRefusal` if the response has an error status, and `ClientFailure` if there is no response or it cannot be decoded.
package struct APIClient: Sendable {
    package let http: HTTPClient

    package init(_ http: HTTPClient) { self.http = http }

    /// Starts a batch enrichment.
    package func start(_ request: EnrichmentBatchRequest) async throws -> StartedJob {
        let body = try ByteBuffer(data: JSONEncoder().encode(request))
        return try await answer(
            to: HTTPCall(
                .POST, "/v1/enrichment/batch", headers: ["Content-Type": "application/json"], body: body,
                timeout: .seconds(120)))
    }

    /// An import's results; refused with 404 `NOT_FOUND` and the import's state if there are none.
    package func importResults(of job: JobID) async throws -> ImportResults {
        try await answer(to: HTTPCall(.GET, APIPath.importResults(job), timeout: .seconds(120)))
    }

    /// A scan's results; refused with 404 `NOT_FOUND` and the scan's state if there are none.
    package func scanResults(of job: JobID) async throws -> ScanResults {
        try await answer(to: HTTPCall(.GET, APIPath.scanResults(job)))
    }

    /// A job's state.
    package func state(of job: JobID, token: String) async throws -> JobState {
        try await answer(to: HTTPCall(.GET, APIPath.job(job), headers: bearer(token)))
    }

    /// A job's results; refused with 404 `NOT_FOUND` and the job's state before the job ends.
    package func results(of job: JobID) async throws -> EnrichmentResults {
        try await answer(to: HTTPCall(.GET, APIPath.results(job), timeout: .seconds(120)))
    }

    /// Cancels a job; harmless if it has ended.
    package func cancel(_ job: JobID, token: String) async throws -> CancelOutcome {
        try await answer(to: HTTPCall(.DELETE, APIPath.job(job), headers: bearer(token)))
    }

    /// Retries the failed books of an ended job.
    package func retry(_ job: JobID, token: String) async throws -> RetryOutcome {
        try await answer(to: HTTPCall(.POST, APIPath.job(job) + "/retry", headers: bearer(token)))
    }

    /// Sends any call and decodes the `data` of a successful response.
    package func answer<Body: Codable & Sendable>(to call: HTTPCall, as type: Body.Type = Body.self) async throws
        -> Body
    {
        let answer = try await http.send(call)
        guard (200..<300).contains(answer.status) else { throw APIRefusal(answer) }
        do {
            return try JSONDecoder().decode(SuccessEnvelope<Body>.self, from: answer.body).data
        } catch {
            throw ClientFailure.malformed(
                "\(call.path) returned \(answer.status) with an unexpected body: \(error)")
        }
    }

    private func bearer(_ token: String) -> HTTPHeaders { ["Authorization": "Bearer \(token)"] }
}

extension APIRefusal {
    /// Decodes a failure envelope; of any other response, only the status and `Retry-After` are kept.
    package init(_ answer: HTTPAnswer) {
        let failure = try? JSONDecoder().decode(FailureEnvelope.self, from: answer.body).error
        self.init(
            status: answer.status, code: failure?.code, message: failure?.message ?? "the server refused the request",
            details: failure?.details ?? [:], retryAfterSeconds: answer.retryAfterSeconds)
    }
}

/// An error response of the API.
package struct APIRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// The HTTP status.
    package var status: Int
    /// The stable code, if the response is an envelope of the contract.
    package var code: APIErrorCode?
    /// A sentence for users.
    package var message: String
    /// Details by name.
    package var details: [String: DetailValue]
    /// The delay before a retry, in seconds.
    package var retryAfterSeconds: Int?

    package init(
        status: Int, code: APIErrorCode?, message: String, details: [String: DetailValue] = [:],
        retryAfterSeconds: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.retryAfterSeconds = retryAfterSeconds
    }

    package var description: String { code.map { "\(message) (\($0.rawValue))" } ?? "\(message) (status \(status))" }
}
