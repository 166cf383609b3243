import NIOPosix
import ServiceKit
import SuiteMethods

/// The edge of BooksTrack: HTTP and WebSockets for clients, JSON-RPC to the services behind (spec/01).
package enum APIProxy {
    /// Runs the service until a signal ends it.
    package static func main() async {
        await ServiceMain.run(
            .apiProxy, abstract: "Serves the HTTP API and the progress sockets."
        ) { context in
            ProxyServices(
                settings: try ProxySettings(context.settings),
                sockets: SuiteSockets(directory: context.directories.runtime), covers: context.directories.covers,
                health: context.health, tail: context.tail, group: MultiThreadedEventLoopGroup.singleton,
                logger: context.logger
            ).all()
        }
    }
}
