import JSONRPC

/// Turns a complete draft into a job, exactly as `CreateJob` does.
package enum SubmitDraft: RPCMethod {
    package typealias Result = CreatedJob
    package static let name = "jobs.submit"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(10)

    package struct Parameters: Codable, Sendable {
        /// The draft.
        package var draftId: Int

        package init(draftId: Int) { self.draftId = draftId }
    }
}
