import Observability
import SuiteMethods

/// What is said about the tail itself.
enum TailText {
    static func dropped(_ count: Int, of service: ServiceInstance) -> String {
        "… \(count) \(count == 1 ? "event" : "events") of \(service.name) dropped: this reader is too slow"
    }

    /// What is said on standard error; nil for news that speak for themselves.
    static func note(_ news: TailNews, of service: ServiceInstance) -> StyledText? {
        let name = service.name
        switch news {
        case .attached(let answer, nil):
            return StyledText("Following \(name) \(process(answer))", .dim)
        case .attached(let answer, let before?):
            let what = answer.pid == before ? "the same process" : "it was restarted"
            return StyledText("Following \(name) again: \(what) \(process(answer))", .green)
        case .events: return nil
        case .lost(let loss, let wait, let attempt):
            let tries = "retrying in \(wait.components.seconds) s (\(attempt) of \(ReattachSchedule.waits.count))"
            return StyledText("\(reason(loss, name)); \(tries)", .yellow)
        case .givenUp(let loss):
            return StyledText("bookstrack: \(reason(loss, name)); no longer following it", .red)
        }
    }

    private static func process(_ answer: SubscribeToTail.Result) -> String {
        "(\(UntrustedText.line(answer.version)), pid \(answer.pid))"
    }

    private static func reason(_ loss: TailNews.Loss, _ name: String) -> String {
        switch loss {
        case .notReached(let reason): "\(name) is not available: \(UntrustedText.line(reason))"
        case .closed: "\(name) closed the connection"
        case .refused(let reason): "\(name) cannot be followed: \(UntrustedText.line(reason))"
        }
    }
}
