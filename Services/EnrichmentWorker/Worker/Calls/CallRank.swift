import ProviderHTTP
import SuiteMethods

/// Which questions are served first: interactive before bulk before follow-ups, and what finds a book before what adds to it.
struct CallRank: Hashable, Comparable, Sendable {
    let workClass: WorkClass
    let isAddition: Bool

    /// All ranks, first served first.
    static let all = WorkClass.allCases.flatMap { workClass in
        [false, true].map { CallRank(workClass: workClass, isAddition: $0) }
    }

    /// The place in the provider's own queue.
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
