import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import Observability
import ServiceKit
import SuiteMethods
import Testing
@testable import APIProxy

@Suite("Routing, CORS and health") struct RouterTests {
    @Test("an unknown path returns a 404 and a wrong method a 405 with Allow, both in the error envelope")
    func unknown() async throws {
        try await RunningProxy.run { proxy in
            let nowhere = try await proxy.request("GET", "/v1/nowhere")
            #expect(nowhere.status == 404)
            #expect(try nowhere.failure.code == .notFound)
            #expect(try nowhere.failure.message == "Not found: GET /v1/nowhere. See /docs.")
            for (method, path, allow) in [
                ("GET", "/v1/enrichment/batch", "POST"), ("PUT", "/v1/jobs/job-12345", "GET, HEAD, DELETE"),
                ("POST", "/ws/progress", "GET, HEAD"), ("PROPFIND", "/health", "GET, HEAD"),
                ("DELETE", "/v1/enrichment/results/job-12345", "GET, HEAD"),
            ] {
                let answer = try await proxy.request(method, path)
                #expect(answer.status == 405, "\(method) \(path)")
                #expect(answer["allow"] == allow, "\(method) \(path)")
                #expect(try answer.failure.code == .methodNotAllowed)
                #expect(try answer.failure.message == "Method not allowed: \(method) \(path). Use \(allow).")
            }
        }
    }

    @Test("scripts in browsers may read header fields such as X-Cache, Retry-After and Allow")
    func exposed() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("GET", "/health", fields: ["Origin: http://localhost:5173"])
            let exposed = try #require(answer["access-control-expose-headers"])
            for name in ["X-Cache", "ETag", "Age", "Retry-After", "Last-Event-ID", "X-Request-Id", "Allow"] {
                #expect(exposed.components(separatedBy: ", ").contains(name), "\(name)")
            }
        }
    }

    @Test("OPTIONS returns a 204 with the allowed methods, and preflight fields only for allowed origins")
    func options() async throws {
        try await RunningProxy.run { proxy in
            let fields = ["Origin: https://bookstrack.app", "Access-Control-Request-Method: POST"]
            let allowed = try await proxy.request("OPTIONS", "/v1/enrichment/batch", fields: fields)
            #expect(allowed.status == 204)
            #expect(allowed.body.isEmpty)
            #expect(allowed["allow"] == "POST")
            #expect(allowed["access-control-allow-methods"] == "POST")
            #expect(allowed["access-control-allow-origin"] == "https://bookstrack.app")
            #expect(allowed["access-control-allow-headers"]?.contains("Authorization") == true)
            #expect(allowed["access-control-allow-credentials"] == nil)
            let other = try await proxy.request("OPTIONS", "/health", fields: ["Origin: https://evil.example"])
            #expect(other.status == 204)
            #expect(other["access-control-allow-origin"] == nil)
        }
    }

    @Test("an allowed origin is echoed in both successes and failures, with Vary")
    func cors() async throws {
        try await RunningProxy.run { proxy in
            for path in ["/health", "/v1/nowhere"] {
                let answer = try await proxy.request("GET", path, fields: ["Origin: http://localhost:5173"])
                #expect(answer["access-control-allow-origin"] == "http://localhost:5173")
                #expect(answer["access-control-expose-headers"]?.contains("X-Request-Id") == true)
                #expect(answer["vary"] == "Origin")
            }
            #expect(
                try await proxy.request("GET", "/health", fields: ["Origin: x"])["access-control-allow-origin"] == nil)
        }
    }

    @Test("a request identifier is echoed even if the request does not reach the router")
    func requestId() async throws {
        try await RunningProxy.run { proxy in
            for path in ["/health", "/v1/nowhere", "/ws/progress"] {
                let answer = try await proxy.request("GET", path, fields: ["X-Request-Id: abc.1"])
                #expect(answer["x-request-id"] == "abc.1")
                #expect(answer["x-api-version"] == "2.1")
            }
        }
    }

    @Test("HEAD responds like GET without a body")
    func head() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("HEAD", "/health")
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
        }
    }

    @Test(
        "the readiness response is a 200 if the service is degraded and a 503 if it is unavailable, and only the admin listener gives reasons"
    )
    func readiness() async throws {
        try await RunningProxy.run { proxy in
            let degraded = try await proxy.request("GET", "/health/ready")
            #expect(degraded.status == 200)
            #expect(try degraded.decode(ReadinessReport.self) == ReadinessReport(status: .degraded))
            let reasons = try await proxy.request("GET", "/health/ready", port: proxy.adminPort)
            let report = try reasons.decode(ReadinessReport.self)
            #expect(report.dependencies?.map(\.name) == ["progress-host", "enrichment-worker"])
            proxy.host.script.withLockedValue {
                $0.readiness = .init(
                    status: .unavailable,
                    dependencies: [.init(name: "storage", status: .unavailable, reason: "disk full")])
            }
            let refused = try await proxy.request("GET", "/health/ready", port: proxy.adminPort)
            #expect(refused.status == 503)
            #expect(try refused.decode(ReadinessReport.self).dependencies?.first?.reason == "storage: disk full")
            await proxy.host.stop()
            #expect(try await proxy.request("GET", "/health/ready").status == 503)
            #expect(try await proxy.request("GET", "/health/live").status == 200)
        }
    }

    @Test("a readiness check that its caller cancels does not make progress-host count as unavailable")
    func cancelledReadiness() async throws {
        try await RunningProxy.run { proxy in
            let readiness = proxy.services.readiness
            #expect(await readiness.report().status == .degraded)
            let cancelled = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await readiness.report().status
            }
            #expect(await cancelled.value == .degraded)
            #expect(readiness.health.readiness.status == .degraded)
        }
    }

    @Test("the health response contains the service's name and its routes")
    func health() async throws {
        try await RunningProxy.run { proxy in
            let report = try await proxy.request("GET", "/health").decode(HealthReport.self)
            #expect(report.status == "ok")
            #expect(report.worker == "api-proxy")
            #expect(report.endpoints.contains("POST /v1/enrichment/batch"))
        }
    }
}

@Suite("RPC methods of api-proxy")
struct MethodRegistrationTests {
    @Test("api-proxy handles exactly the RPC methods that the method list assigns to it")
    func names() async throws {
        try await RunningProxy.run { proxy in
            let services = proxy.services
            let forwarding = ForwardingRouter.make(
                host: services.host.client, readiness: services.readiness, searches: services.searches,
                socketLimiter: services.hub.socketLimiter, tail: TailHub(), metrics: services.serverMetrics)
            let told = HostLink.router(LinkedSockets(services.hub.shards), Logger(label: "test"))
            #expect((forwarding.methodNames + told.methodNames).sorted() == MethodList.names(answeredBy: .apiProxy))
        }
    }
}
