import NIOCore
import NIOPosix
import Observability
import ServiceKit
import ServiceLifecycle
import SuiteMethods

/// The edge service of BooksTrack: serves HTTP and WebSockets to clients, and calls the services behind it over JSON-RPC (Services/README.md).
package enum APIProxy {
    /// Runs the service until a signal, a successor or a failure stops it.
    package static func main() async {
        await ServiceMain.run(
            .apiProxy, abstract: "Serves the HTTP API, WebSockets, event streams and web pages."
        ) { context in
            var settings = ProxySettings(context.settings)
            try settings.take(context.passedSockets, from: context.settings, logger: context.logger)
            if let limit = ProcessUsage.descriptorLimit { settings.fitConnections(to: limit, context.logger) }
            let sockets = SuiteSockets(directory: context.directories.runtime)
            try settings.openConsole(context.settings)
            // Last, because this stops the running api-proxy, which must continue if a setting of the new process is refused.
            if context.settings[.takeOver] {
                try settings.takeOver(from: sockets.handover, context.settings, logger: context.logger)
            }
            let services = ProxyServices(
                settings: settings, sockets: sockets, covers: context.directories.covers,
                uploads: UploadDirectory(path: context.directories.uploads),
                health: context.health, tail: context.tail, metrics: context.metrics,
                group: MultiThreadedEventLoopGroup.singleton, logger: context.logger,
                onHandover: { context.stop("another api-proxy has taken over the ports") })
            return announced(services, context)
        }
    }

    /// All services; each listener is announced once it is listening.
    private static func announced(_ services: ProxyServices, _ context: ServiceContext) -> [any Service] {
        let publicly = context.listeners.announce("public")
        let admin = context.listeners.announce("admin")
        let socket = context.listeners.announce("socket")
        return services.all(
            onRunning: { publicly.listens(at: $0.localAddress.text) },
            onAdminRunning: { admin.listens(at: $0.localAddress.text) },
            onSocketRunning: { socket.listens(at: context.directories.socket(of: .apiProxy)) })
    }
}

extension SocketAddress? {
    /// Host and port as in a URL; `unknown` if either is missing.
    fileprivate var text: String {
        guard let self, let host = self.ipAddress, let port = self.port else { return "unknown" }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
