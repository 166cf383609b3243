import NIOCore
import NIOHTTP1
import Testing

@testable import ProviderEmulator

@Suite("The emulator's own routes")
struct AdminRouteTests {
    private static let volumes = "/googlebooks/books/v1/volumes?q=isbn:9780618260300"

    @Test(
        "a path that belongs to no provider returns a 404 that lists the prefixes",
        arguments: ["/", "", "/amazon/search", "/OpenLibrary/search.json", "/_emulator", "/_emulator/nothing"])
    func unknown(path: String) throws {
        let answer = try InProcessEmulator().answer(.GET, path)
        #expect(answer.status == .notFound)
        #expect(
            answer.text
                == #"{"error":"Paths begin with /openlibrary, /googlebooks, /isbndb, /wikidata, /covers, /gemini, /openai or /_emulator."}"#
        )
    }

    @Test(
        "a route accepts only its own HTTP methods",
        arguments: [
            (HTTPMethod.GET, "health", 200), (.POST, "health", 404), (.GET, "log", 200), (.DELETE, "log", 200),
            (.PUT, "log", 404), (.GET, "stats", 200), (.DELETE, "stats", 404), (.DELETE, "faults", 200),
            (.GET, "faults", 404), (.POST, "faults", 404),
        ])
    func methods(method: HTTPMethod, route: String, status: UInt) throws {
        #expect(try InProcessEmulator().answer(method, "/_emulator/\(route)").status.code == status)
    }

    @Test("the health response contains only the status")
    func health() throws {
        #expect(try InProcessEmulator().answer(.GET, "/_emulator/health").text == #"{"status":"ok"}"#)
    }

    @Test("setting rules replaces all earlier rules and returns the number of new ones")
    func replacing() throws {
        let emulator = try InProcessEmulator(faults: #"[{"kind":"status","code":500}]"#)
        let answer = try emulator.answer(
            .PUT, "/_emulator/faults", body: #"[{"kind":"missing"},{"kind":"slow","milliseconds":1}]"#)
        #expect(answer.text == #"{"rules":2}"#)
        #expect(try emulator.answer(.GET, Self.volumes).text == #"{"kind":"books#volumes","totalItems":0}"#)
        #expect(try emulator.answer(.DELETE, "/_emulator/faults").text == #"{"rules":0}"#)
        #expect(try emulator.json(Self.volumes)["totalItems"] == 1)
    }

    @Test("more than ten thousand rules are rejected", arguments: [(10_000, 200), (10_001, 400)])
    func tooManyRules(count: Int, status: UInt) throws {
        let rules = "[" + Array(repeating: #"{"kind":"hang"}"#, count: count).joined(separator: ",") + "]"
        #expect(try InProcessEmulator().answer(.PUT, "/_emulator/faults", body: rules).status.code == status)
    }

    @Test("the error for a rejected list of rules explains what is wrong")
    func refusal() throws {
        let answer = try InProcessEmulator().answer(
            .PUT, "/_emulator/faults", body: #"[{"kind":"huge","megabytes":0}]"#)
        #expect(answer.status == .badRequest)
        #expect(try answer.json["error"]?.text?.contains("1 to 1024") == true)
    }

    @Test("requests to the emulator's own routes are not delayed and belong to no provider")
    func immediate() throws {
        let emulator = try InProcessEmulator(faults: #"[{"kind":"slow","milliseconds":90}]"#)
        let own = emulator.delivery(.GET, "/_emulator/health")
        #expect(own.delay == .zero)
        #expect(own.provider == nil)
        let asked = emulator.delivery(.GET, Self.volumes)
        #expect(asked.delay == .milliseconds(90))
        #expect(asked.provider == .googleBooks)
    }

    @Test("the log consists of JSON lines, oldest first, and can be cleared")
    func log() throws {
        let emulator = try InProcessEmulator()
        for page in 1...3 { _ = try emulator.answer(.GET, "\(Self.volumes)&startIndex=\(page)") }
        let answer = try emulator.answer(.GET, "/_emulator/log")
        #expect(answer.header("Content-Type") == "application/x-ndjson")
        let lines = try answer.text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        #expect(lines.compactMap { $0["path"]?.text?.last } == ["1", "2", "3"])
        _ = try emulator.answer(.DELETE, "/_emulator/log")
        #expect(try emulator.answer(.GET, "/_emulator/log").text.isEmpty)
        _ = try emulator.answer(.GET, Self.volumes)
        #expect(try emulator.answer(.GET, "/_emulator/log").text.hasPrefix(#"{"faults":[],"isbns":["9780618260300"]"#))
    }

    @Test("a full log keeps the newest entries, and the statistics count the dropped ones")
    func fullLog() throws {
        let emulator = try InProcessEmulator(logLimit: 2)
        for _ in 0..<5 { _ = try emulator.answer(.GET, Self.volumes) }
        let lines = try emulator.answer(.GET, "/_emulator/log").text.split(separator: "\n")
        #expect(try lines.map { try JSONValue(parsing: Array($0.utf8))["sequence"] } == [4, 5])
        #expect(try emulator.json("/_emulator/stats")["droppedEntries"] == 3)
    }

    @Test("the statistics include every provider, even one that was never called", arguments: Provider.allCases)
    func statistics(provider: Provider) throws {
        let counts = try InProcessEmulator().json("/_emulator/stats")["providers"]?[provider.rawValue]
        #expect(
            counts?.json
                == #"{"faults":{},"inFlight":0,"isbns":0,"keys":0,"maximumInFlight":0,"maximumPerSecond":0,"#
                + #""outcomes":{},"requests":0}"#)
    }
}
