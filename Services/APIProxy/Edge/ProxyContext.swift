import Hummingbird
import NIOCore

/// What routes know about a request besides the request itself.
struct ProxyContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Set by `EdgeResponder`, the first to see a request.
    var exchange = Exchange(requestId: nil)

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}
