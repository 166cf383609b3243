package import BookstrackContract

/// A page of result rows as raw JSON, called with `callRaw`: the result is `[next, row, row, …]`, where `next` is the cursor
/// of the following page or -1, and each row is an `EnrichedBook`. See `ResultsPage`.
package enum ReadResultsPage {
    package static let name = "jobs.resultsPage"
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// The job.
        package var jobId: JobID
        /// Where the page begins: 0, or what the page before said.
        package var cursor: Int

        package init(jobId: JobID, cursor: Int) {
            self.jobId = jobId
            self.cursor = cursor
        }
    }
}
