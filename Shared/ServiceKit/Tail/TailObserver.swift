import BookstrackContract
import JSONRPC
import Observability

/// Publishes each answered RPC call (command-line.md "tail").
struct TailObserver: RPCObserver {
    let hub: TailHub

    func answered(_ request: AnsweredRequest) {
        let subject = TailSubject.rpc(
            .init(method: request.method, peerPID: request.peer.pid, code: request.outcome.code))
        hub.publish(TailEntry(subject, of: request.activity, request.outcome.tail))
    }
}

extension AnsweredRequest.Outcome {
    /// The code of a refusal or a fault.
    fileprivate var code: String? {
        switch self {
        case .succeeded, .abandoned: nil
        case .refused(let code): code
        case .failed: APIErrorCode.internalError.rawValue
        }
    }

    /// A refusal is an error where its HTTP status would be 500 or more.
    fileprivate var tail: TailOutcome {
        switch self {
        case .succeeded: .ok
        case .abandoned: .canceled
        case .failed: .error
        case .refused(let code): APIErrorCode(rawValue: code).map { $0.status >= 500 } ?? false ? .error : .ok
        }
    }
}
