import JSONRPC
import Logging
import Observability
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Methods of api-proxy")
struct MethodRegistrationTests {
    @Test("api-proxy answers exactly the methods of the list")
    func names() async throws {
        try await RunningProxy.run { proxy in
            let services = proxy.services
            let forwarding = ForwardingRouter.make(
                host: services.host.client, readiness: services.readiness, searches: services.searches,
                census: services.hub.census, tail: TailHub(), metrics: services.serverMetrics)
            let told = HostLink.router(services.hub, Logger(label: "test"))
            #expect((forwarding.methodNames + told.methodNames).sorted() == MethodList.names(answeredBy: .apiProxy))
        }
    }
}
