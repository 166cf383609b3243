import BookstrackContract
import HTTPTypes
import Hummingbird
import JSONRPC
import NIOCore
import SuiteMethods

/// A job's results, streamed page by page: rows pass through as the bytes that are stored (spec/01, raw pass-through).
struct ResultsRoutes: Sendable {
    let host: RPCClient

    var routes: [Route] {
        ["/v1/enrichment/results/{jobId}", "/v1/jobs/{jobId}/results"].map { path in
            Route(.get, path, limit: .jobReading) { _, context in try await answer(try context.jobId(), context) }
        }
    }

    private func answer(_ jobId: JobID, _ context: ProxyContext) async throws -> Response {
        let head = try await host.call(ReadResults.self, .init(jobId: jobId))
        // Before the status is sent, so that a failure still becomes an error answer.
        let first = try await page(of: jobId, cursor: 0)
        var metadata = context.exchange.metadata
        // As the contract's answers say of everything that is read from storage (§6.2).
        metadata.provider = "kv_cache"
        metadata.cached = true
        let frame = ResultsFrame(head, metadata: metadata)
        let body = ResponseBody { writer in
            try await writer.write(frame.opening)
            try await write(first, of: jobId, to: &writer)
            try await writer.write(frame.closing)
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: StandardFields.json], body: body)
    }

    private func write(_ first: ResultsPage, of jobId: JobID, to writer: inout any ResponseBodyWriter) async throws {
        var page = first
        var separator = ByteBuffer()
        while true {
            if page.rows.readableBytes > 0 {
                try await writer.write(contentsOf: [separator, page.rows])
                separator = ByteBuffer(string: ",")
            }
            guard let next = page.next else { return }
            page = try await self.page(of: jobId, cursor: next)
        }
    }

    private func page(of jobId: JobID, cursor: Int) async throws -> ResultsPage {
        let parameters = try BodyCoding.encode(ReadResultsPage.Parameters(jobId: jobId, cursor: cursor))
        let raw = try await host.callRaw(ReadResultsPage.name, parameters, deadline: ReadResultsPage.deadline)
        guard let page = ResultsPage(raw: raw) else {
            throw RPCError(.protocolViolation("\(ReadResultsPage.name) does not have the documented shape"))
        }
        return page
    }
}
