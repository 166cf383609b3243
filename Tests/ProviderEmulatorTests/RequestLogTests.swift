import BookIdentifiers
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import ProviderEmulator

@Suite("Request log")
struct RequestLogTests {
    @Test("the peak rate counts requests that are less than a second apart")
    func window() {
        var window = PeakRate()
        for milliseconds in [0, 400, 900, 1_000, 1_100, 3_000] { window.add(.milliseconds(Int64(milliseconds))) }
        #expect(window.maximum == 4)
    }

    @Test("requests at exactly three per second never count as four")
    func evenlySpaced() {
        var window = PeakRate()
        for index in 0..<30 { window.add(.nanoseconds(Int64(index) * 333_333_334)) }
        #expect(window.maximum == 3)
    }

    @Test("a full log drops its oldest entries and reports how many it dropped")
    func bound() {
        var log = RequestLog(limit: 2)
        for index in 0..<5 {
            log.add(
                Arrival(sinceStart: .seconds(Int64(index)), wall: Date(timeIntervalSince1970: 0)),
                provider: .openLibrary,
                path: "/", keys: [], status: 200, faults: [], userAgent: nil)
        }
        #expect(log.entries.map(\.sequence) == [4, 5])
        #expect(log.summary.droppedEntries == 3)
        #expect(log.summary.providers[.openLibrary]?.requests == 5)
    }

    @Test("requests that are in flight when the log is cleared count toward the maximum in flight")
    func cleared() {
        var log = RequestLog(limit: 10)
        for _ in 0..<3 {
            log.add(
                Arrival(sinceStart: .seconds(0), wall: Date(timeIntervalSince1970: 0)), provider: .openLibrary,
                path: "/",
                keys: [], status: 200, faults: [], userAgent: nil)
        }
        log.finish(.openLibrary)
        log.clear()
        #expect(log.summary.providers[.openLibrary]?.inFlight == 2)
        #expect(log.summary.providers[.openLibrary]?.maximumInFlight == 2)
    }

    @Test("every request to a provider is logged on one line with its ISBNs, outcome and faults")
    func lines() async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(#"[{"kind":"slow","milliseconds":1,"provider":"googlebooks"}]"#)
            _ = try await emulator.get("/openlibrary/api/books?bibkeys=ISBN:0441172717&jscmd=details&format=json")
            _ = try await emulator.get("/googlebooks/books/v1/volumes?q=isbn:9780618260300")
            let lines = try await emulator.log()
            #expect(lines.map { $0["sequence"] } == [1, 2])
            #expect(lines.map { $0["provider"] } == ["openlibrary", "googlebooks"])
            #expect(lines.map { $0["isbns"] } == [["9780441172719"], ["9780618260300"]])
            #expect(lines.map { $0["status"] } == [200, 200])
            #expect(lines.map { $0["faults"] } == [[], ["slow"]])
            #expect(lines.first?["userAgent"] == "BooksTrackTests/1.0 (tests@example.org)")
            #expect(lines.first?["path"]?.text?.hasPrefix("/api/books?bibkeys=") == true)
        }
    }

    @Test("requests are counted by outcome, and the statistics restart when the log is cleared")
    func statistics() async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(#"[{"kind":"reset","times":1},{"kind":"status","code":503,"times":1}]"#)
            for _ in 0..<3 {
                _ = try await emulator.get("/openlibrary/search.json?q=isbn:(9780441172719+OR+9780618260300)")
            }
            let counts = try await emulator.json("/_emulator/stats")["providers"]?["openlibrary"]
            #expect(counts?["requests"] == 3)
            #expect(counts?["isbns"] == 6)
            #expect(counts?["outcomes"] == ["200": 1, "503": 1, "reset": 1])
            #expect(try await emulator.request("DELETE", "/_emulator/log").status == 200)
            #expect(try await emulator.log().isEmpty)
            #expect(try await emulator.json("/_emulator/stats")["providers"]?["openlibrary"]?["requests"] == 0)
        }
    }

    @Test("the emulator's own routes and unknown paths are not in the log")
    func ownRoutes() async throws {
        try await RunningEmulator.run { emulator in
            let health = try await emulator.get("/_emulator/health")
            #expect(health.text == #"{"status":"ok"}"#)
            #expect(try await emulator.get("/elsewhere").status == 404)
            #expect(try await emulator.log().isEmpty)
        }
    }

    @Test("the configured latency and the delays of rules add up")
    func latency() {
        let emulator = Emulator(stock: Stock(), latency: .milliseconds(100))
        let rule = ByteBuffer(string: #"[{"kind":"slow","milliseconds":50}]"#)
        let put = HTTPRequestHead(version: .http1_1, method: .PUT, uri: "/_emulator/faults")
        #expect(emulator.delivery(for: ReceivedRequest(head: put, body: rule)).delay == .zero)
        let get = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/openlibrary/works/OL1W.json")
        #expect(emulator.delivery(for: ReceivedRequest(head: get, body: ByteBuffer())).delay == .milliseconds(150))
    }
}
