import HTTPTypes
import Hummingbird
import Observability

/// `/metrics` of the admin listener, for Prometheus; not enveloped (http-api.md "Envelope").
struct MetricsRoutes: Sendable {
    let scrape: SuiteScrape

    var routes: [Route] {
        [
            Route(.get, "/metrics", limit: .exempt) { _, _ in
                Response(
                    status: .ok, headers: [.contentType: PrometheusText.contentType],
                    body: .init(byteBuffer: ByteBuffer(string: await scrape.text())))
            }
        ]
    }
}
