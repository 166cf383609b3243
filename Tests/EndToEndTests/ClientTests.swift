import BookstrackContract
import Foundation
import ProgressClient
import SuiteFixture
import Testing

@Suite("The progress socket, seen by clients that are not ours", .serialized)
struct ClientTests {
    /// Follows a job with Python's `websockets` and prints what it saw as JSON.
    private static let script = """
        import asyncio, json, sys, websockets
        async def main(url, ready):
            frames, binary = [], 0
            async with websockets.connect(url) as socket:
                if ready == "text": await socket.send('{"type":"ready"}')
                if ready == "binary": await socket.send(b'{"type":"ready"}')
                pong = await socket.ping()
                await pong
                try:
                    async for message in socket:
                        if isinstance(message, bytes): binary += 1
                        frames.append(json.loads(message))
                except websockets.exceptions.ConnectionClosed: pass
            print(json.dumps({"types": [f["type"] for f in frames], "binary": binary, "code": socket.close_code,
                              "longest": max(len(json.dumps(f)) for f in frames)}))
        asyncio.run(main(sys.argv[1], sys.argv[2]))
        """

    private struct Seen: Decodable {
        var types: [String]
        var binary: Int
        var code: Int
        var longest: Int
    }

    private static let isThere = Python.has("websockets")

    @Test(
        "Python's websockets sees the whole life of a job",
        .enabled(if: isThere, "Python's websockets is not installed"),
        arguments: ["text", "binary", "never"])
    func python(ready: String) async throws {
        let options = SuiteFixture.Suite.Options(
            settings: ["BOOKSTRACK_READY_TIMEOUT_MS": "200"], emulatorArguments: ["--latency", "1500"])
        try await SuiteFixture.Suite.run(options) { suite in
            let isbns = try SampleBooks.isbns().prefix(30)
            let job = try await suite.api.start(EnrichmentBatchRequest(books: isbns.map { BookQuery(isbn: $0) }))
            let url = "ws://127.0.0.1:\(suite.address.port)\(job.websocketUrl)&token=\(job.token)"
            let seen = try JSONDecoder().decode(Seen.self, from: try await Python.run(Self.script, [url, ready]))
            #expect(seen.types.first == (ready == "never" ? "job_started" : "ready_ack"))
            #expect(seen.types.count { $0 == "job_started" } == 1)
            #expect(seen.types.contains("job_progress"))
            #expect(seen.types.last == "job_complete")
            #expect(seen.types.count { $0 == "job_complete" } == 1)
            #expect(seen.code == 1000)
            #expect(seen.binary == 0)
        }
    }
}
