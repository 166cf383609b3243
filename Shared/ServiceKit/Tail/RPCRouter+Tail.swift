import Glibc
package import JSONRPC
package import Observability
package import SuiteMethods

extension RPCRouter {
    /// Lets peers follow this process, and publishes what it answers them.
    package mutating func answerTail(of service: ServiceName, from hub: TailHub) {
        let feed = TailFeed(hub: hub)
        let routine = hub.routine.map { TailFeed(hub: $0) }
        observe(with: TailObserver(hub: hub))
        handle(SubscribeToTail.self) { parameters, connection in
            try feed.subscribe(connection, parameters)
            if parameters.filter.includesRoutine == true {
                // Of these there is no past to begin with.
                try routine?.subscribe(connection, .init(filter: parameters.filter, replay: nil))
            } else {
                routine?.unsubscribe(connection)
            }
            return SubscribeToTail.Result(service: service, version: SuiteVersion.text, pid: getpid())
        }
    }
}
