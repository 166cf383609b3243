import HTTPTypes
import HummingbirdCore
import NIOHTTP1
import Testing

@testable import APIProxy

/// The classes of http-api.md "Rate limits", route by route.
@Suite("Rate limits of the routes") struct RateClassTests {
    private static let classes: [(RequestClass, [String])] = [
        (
            .search,
            [
                "GET /v1/search/isbn", "GET /v1/search/title", "GET /v1/search/advanced", "GET /v1/editions/search",
                "GET /search/title", "GET /search/isbn", "GET /search/author", "GET /search/advanced",
                "GET /images/proxy", "POST /v1/books/enrich", "POST /api/v2/books/enrich",
            ]
        ),
        (.start, ["POST /v1/enrichment/batch", "POST /api/enrichment/batch", "POST /api/enrichment/start"]),
        (
            .import,
            [
                "POST /v1/csv/import", "POST /api/import/csv-gemini", "POST /api/v2/imports", "POST /v1/csv/preview",
            ]
        ),
        (
            .scan,
            [
                "POST /api/scan-bookshelf", "POST /v1/scan", "POST /api/scan-bookshelf/batch", "POST /api/batch-scan",
                "POST /v1/scan/batch",
            ]
        ),
        (
            .jobReading,
            [
                "GET /v1/jobs/job-12345", "GET /v1/enrichment/results/job-12345", "GET /v1/jobs/job-12345/results",
                "GET /v1/csv/results/job-12345", "GET /api/v2/imports/job-12345/results",
                "GET /v1/csv/status/job-12345", "GET /api/v2/imports/job-12345", "GET /v1/scan/results/job-12345",
                "GET /v1/jobs/job-12345/events", "GET /api/v2/imports/job-12345/stream", "GET /v1/events",
                "GET /v1/jobs/job-12345/insights", "GET /v1/scan/photos/job-12345/0", "POST /v1/events",
            ]
        ),
        (.report, ["POST /v1/reports/missing-metadata"]),
        (
            .exempt,
            [
                "GET /health", "GET /health/live", "GET /health/ready", "GET /ws/progress", "GET /ws/jobs", "GET /",
                "GET /page/0/reader.js",
            ]
        ),
        (
            .ordinary,
            [
                "DELETE /v1/jobs/job-12345", "POST /v1/jobs/job-12345/retry", "POST /api/enrichment/cancel",
                "POST /api/scan-bookshelf/cancel", "POST /v1/csv/cancel/job-12345", "POST /v1/token/refresh",
                "POST /api/token/refresh", "GET /openapi.json", "GET /asyncapi.json", "GET /docs",
            ]
        ),
    ]

    @Test("every route has its documented rate limit class, and HEAD counts like GET")
    func classes() async throws {
        try await RunningProxy.run { proxy in
            var unlisted = Set(proxy.services.routes.map { "\($0.method) \($0.path)" })
            let table = RouteTable(proxy.services.routes, labels: [:])
            for (expected, routes) in Self.classes {
                for route in routes {
                    let parts = route.split(separator: " ").map(String.init)
                    let entry = try #require(table.entry(at: parts[1]), "\(route)")
                    let method = try #require(HTTPRequest.Method(parts[0]))
                    #expect(entry.methods.contains(method), "\(route)")
                    #expect(entry.limit(of: method) == expected, "\(route)")
                    if method == .get { #expect(entry.limit(of: .head) == expected, "HEAD of \(route)") }
                    unlisted.remove("\(method) \(entry.path)")
                }
            }
            #expect(unlisted.isEmpty)
        }
    }
}

@Suite("The route table") struct RouteTableTests {
    private let table = RouteTable(
        [
            Route(.get, "/v1/jobs/{jobId}", limit: .jobReading) { _, _ in .init(status: .ok) },
            Route(.delete, "/v1/jobs/{jobId}") { _, _ in .init(status: .ok) },
            Route(.get, "/v1/jobs/{jobId}/photos/{index}", limit: .search) { _, _ in .init(status: .ok) },
            Route(.post, "/v1/events", limit: .start) { _, _ in .init(status: .ok) },
            Route(.get, "/v1/events", limit: .scan) { _, _ in .init(status: .ok) },
        ], labels: [:])

    @Test(
        "a path is matched with its parameters, and empty segments are ignored",
        arguments: [
            ("/v1/jobs/abc", "/v1/jobs/{jobId}" as String?), ("/v1//jobs/abc/", "/v1/jobs/{jobId}"),
            ("/v1/events", "/v1/events"),
            ("//v1/events/", "/v1/events"), ("/v1/jobs/abc/photos/2", "/v1/jobs/{jobId}/photos/{index}"),
            ("/v1/jobs", nil),
            ("/v1/jobs/abc/other", nil), ("/V1/events", nil), ("/", nil), ("", nil),
        ])
    func paths(path: String, declared: String?) {
        #expect(table.entry(at: path)?.path == declared)
    }

    @Test("the methods of a path are in the order of their declaration, and HEAD follows GET")
    func methods() {
        #expect(table.entry(at: "/v1/jobs/abc")?.methods == [.get, .head, .delete])
        #expect(table.entry(at: "/v1/events")?.methods == [.post, .get, .head])
    }

    @Test(
        "each method of a path has its own class, and a method that the path does not support counts as an ordinary request",
        arguments: [
            (HTTPRequest.Method.get, RequestClass.jobReading), (.head, .jobReading), (.delete, .ordinary),
            (.put, .ordinary),
        ])
    func limits(method: HTTPRequest.Method, limit: RequestClass) {
        #expect(table.entry(at: "/v1/jobs/abc")?.limit(of: method) == limit)
    }

    @Test(
        "a path parameter is the segment at its position",
        arguments: [
            ("jobId", "abc" as Substring?), ("index", "2"), ("other", nil),
        ])
    func parameters(name: String, value: Substring?) {
        let path = "/v1/jobs/abc/photos/2"
        #expect(table.entry(at: path)?.parameter(name, in: path) == value)
    }

    @Test(
        "a route that is handled by the router has no event loop handler",
        arguments: [HTTPMethod.GET, .POST, .DELETE])
    func loopHandlers(method: HTTPMethod) {
        #expect(table.entry(at: "/v1/events")?.loopHandler(of: method) == nil)
    }
}
