import Hummingbird
import NIOCore

/// What routes know about a request besides the request itself.
struct ProxyContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Who is connected: the client, or a proxy before it.
    let peer: SocketAddress?
    let channel: any Channel
    /// Set by `EdgeResponder`, the first to see a request.
    var exchange = Exchange.none

    init(source: ApplicationRequestContextSource) {
        peer = source.channel.remoteAddress
        channel = source.channel
        coreContext = CoreRequestContextStorage(source: source)
    }
}
