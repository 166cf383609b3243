import Observability
import SuiteMethods

/// What the following of one service brings.
enum TailNews {
    /// Why nothing is heard from the service.
    enum Loss: Error, Equatable {
        /// It was not reached, for this reason.
        case notReached(String)
        /// The connection ended.
        case closed
        /// It was reached and will not be followed, for this reason; another try would end the same.
        case refused(String)
    }

    /// The service is followed; `before` is the process that was followed before.
    case attached(SubscribeToTail.Result, before: Int32?)
    /// What happened, after as many events were lost.
    case events([TailEvent], dropped: Int)
    /// It will be looked for again.
    case lost(Loss, again: Duration, attempt: Int)
    /// It will not be looked for again.
    case givenUp(Loss)
}
