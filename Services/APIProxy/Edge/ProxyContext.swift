import Hummingbird
import NIOCore

/// What routes know about a request besides the request itself.
struct ProxyContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Who is connected: the client, or a proxy before it.
    let peer: SocketAddress?
    /// Whether the client is still there.
    let isConnected: @Sendable () -> Bool
    /// Set by `EdgeResponder`, the first to see a request.
    var exchange = Exchange.none

    init(source: ApplicationRequestContextSource) {
        peer = source.channel.remoteAddress
        isConnected = { [channel = source.channel] in channel.isActive }
        coreContext = CoreRequestContextStorage(source: source)
    }
}
