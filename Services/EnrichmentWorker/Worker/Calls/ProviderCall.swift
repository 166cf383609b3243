import BookMetadata
import BookstrackContract
import ProviderClient
import SuiteMethods

/// A request to a provider and the questions that it answers.
struct ProviderCall: Sendable {
    /// Identifies a call within this process.
    struct ID: Hashable, Sendable {
        let number: UInt64
    }

    let id: ID
    let kind: QuestionKind
    let batch: RequestBatch
    let rank: CallRank
    let questions: [Question]
    /// The parties whose share of calls in flight includes this call.
    let parties: Set<CallParty>
    /// The latest deadline of the call's callers.
    let deadline: MonotonicInstant

    /// The client whose share of a daily budget is charged; nil unless all parties belong to one client.
    var client: String? {
        let clients = Set(parties.map(\.client))
        return clients.count == 1 ? clients.first ?? nil : nil
    }
}

/// The job, search or cache refresh on whose behalf a provider is queried. Parties take turns (jobs.md "Work"), and each has a limited number of
/// calls in flight.
enum CallParty: Hashable, Sendable {
    /// A client's job (``ClaimedItem/client``).
    case job(JobID, client: String)
    /// A client's search, by its number.
    case search(UInt64, client: String?)
    /// The cache, which refreshes its answers.
    case refresh

    /// The client whose share of a daily budget is charged for the questions; nil if shares do not apply.
    var client: String? {
        switch self {
        case .job(_, let client): client.isEmpty ? nil : client
        case .search(_, let client): client
        case .refresh: nil
        }
    }
}

/// The order in which questions are served: interactive questions come first, then bulk questions, follow-ups and background retries; within each
/// class, questions that find a book come before questions that add to it.
struct CallRank: Hashable, Comparable, Sendable {
    let workClass: WorkClass
    let isAddition: Bool

    /// All ranks, in the order in which they are served.
    static let all = WorkClass.allCases.flatMap { workClass in
        [false, true].map { CallRank(workClass: workClass, isAddition: $0) }
    }

    /// The priority in the provider's own queue.
    var priority: CallPriority {
        switch workClass {
        case .interactive: .interactive
        case .bulk: isAddition ? .background : .bulk
        case .followUp, .backgroundRetry: .background
        }
    }

    static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.workClass, lhs.isAddition ? 1 : 0) < (rhs.workClass, rhs.isAddition ? 1 : 0)
    }
}
