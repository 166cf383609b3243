import BookstrackContract
import Glibc
package import JSONRPC
package import Observability
package import SuiteMethods

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
    /// The code of a refusal or a fault; nil for any other outcome.
    fileprivate var code: String? {
        switch self {
        case .succeeded, .abandoned: nil
        case .refused(let code): code
        case .failed: APIErrorCode.internalError.rawValue
        }
    }

    /// The outcome as shown in a tail. A refusal counts as an error if its HTTP status is 500 or more.
    fileprivate var tail: TailOutcome {
        switch self {
        case .succeeded: .ok
        case .abandoned: .canceled
        case .failed: .error
        case .refused(let code): APIErrorCode(rawValue: code).map { $0.status >= 500 } ?? false ? .error : .ok
        }
    }
}

extension RPCRouter {
    /// Lets peers follow this process, and publishes the calls that it answers.
    package mutating func answerTail(of service: ServiceName, from hub: TailHub) {
        let feed = TailFeed(hub: hub)
        let routine = hub.routine.map { TailFeed(hub: $0) }
        observe(with: TailObserver(hub: hub))
        handle(SubscribeToTail.self) { parameters, connection in
            try feed.subscribe(connection, parameters)
            if parameters.filter.includesRoutine == true {
                // Routine events have no replay.
                try routine?.subscribe(connection, .init(filter: parameters.filter, replay: nil))
            } else {
                routine?.unsubscribe(connection)
            }
            return SubscribeToTail.Result(service: service, version: SuiteVersion.text, pid: getpid())
        }
    }
}
