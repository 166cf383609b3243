import Glibc
package import JSONRPC
package import Observability
package import SuiteMethods

extension RPCRouter {
    /// Lets peers follow this process, and publishes what it answers them.
    package mutating func answerTail(of service: ServiceName, from hub: TailHub) {
        let feed = TailFeed(hub: hub)
        observe(with: TailObserver(hub: hub))
        handle(SubscribeToTail.self) { parameters, connection in
            try feed.subscribe(connection, parameters)
            return SubscribeToTail.Result(service: service, version: SuiteVersion.text, pid: getpid())
        }
    }
}
