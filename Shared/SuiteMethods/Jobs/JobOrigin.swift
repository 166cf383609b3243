package import BookstrackContract

/// Where the start of a job came from and what its client asked for beside the books. progress-host stores it with the job, except for
/// `shownToken`.
package struct JobOrigin: Codable, Sendable, Equatable {
    package typealias Priority = JobPriority

    /// Which books the `job_complete` of a job carries (websocket.md "Payloads").
    package enum CompletionBooks: String, Codable, Sendable, CaseIterable {
        /// None: the summary only, as the contract says.
        case none
        /// `enrichedBooks[]`: the start carried `X-Client-Version: ios-…`.
        case enriched
    }

    /// Under which turns and paid budgets are shared: the client's address as limits count it, of IPv6 the /64. Empty when it is unknown.
    package var client: String
    /// A token of the job that the caller of a repeated start holds.
    package var shownToken: String?
    /// What the start asked for; nil leaves it to the size of the job.
    package var priority: Priority?
    package var completionBooks: CompletionBooks

    package init(
        client: String = "", shownToken: String? = nil, priority: Priority? = nil,
        completionBooks: CompletionBooks = .none
    ) {
        self.client = client
        self.shownToken = shownToken
        self.priority = priority
        self.completionBooks = completionBooks
    }

    /// The origin of jobs that peers on the suite's own sockets start.
    package static let peer = JobOrigin(client: "peer")
}
