import JSON
import TestSupport
import Testing

@testable import ProviderEmulator

@Suite("Faults over a socket", .timeLimit(.minutes(1)))
struct FaultDeliveryTests {
    private static let books = "/openlibrary/api/books?bibkeys=ISBN:9780618260300&jscmd=details&format=json"
    private static let volumes = "/googlebooks/books/v1/volumes?q=isbn:9780618260300"

    @Test("a crowded provider refuses requests beyond its concurrency limit")
    func crowded() async throws {
        try await RunningEmulator.run { emulator in
            let path = "/wikidata/w/api.php?action=wbsearchentities&format=json&language=en&search=ada"
            try await emulator.setFaults(
                #"[{"kind":"hang","times":1},{"kind":"crowded","provider":"wikidata","limit":1}]"#)
            let waiting = try await RawConnection(port: emulator.port)
            try await waiting.send("GET", path)
            try await until { try await !emulator.log().isEmpty }
            let refused = try await emulator.get(path)
            #expect(refused.status == 429)
            #expect(refused.header("Retry-After") == "1")
            try await waiting.close()
        }
    }

    @Test("a response under a status fault includes the rule's Retry-After")
    func status() async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(#"[{"kind":"status","code":429,"retryAfter":7,"provider":"openlibrary"}]"#)
            let answer = try await emulator.get(Self.books)
            #expect(answer.status == 429)
            #expect(answer.header("Retry-After") == "7")
            #expect(try await emulator.get(Self.volumes).status == 200)
        }
    }

    @Test("a quota response has Google's format for each of its statuses", arguments: [400, 403, 429])
    func quota(code: Int) async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(#"[{"kind":"quota","code":\#(code)}]"#)
            let answer = try await emulator.get(Self.volumes)
            #expect(answer.status == code)
            let error = try JSONValue(parsing: answer.body)["error"]
            #expect(error?["status"] == "RESOURCE_EXHAUSTED")
            #expect(error?["errors"]?.elements.first?["reason"]?.text?.hasSuffix("LimitExceeded") == true)
        }
    }

    @Test("a reset ends the connection without sending a byte")
    func reset() async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(#"[{"kind":"reset"}]"#)
            let answer = try await emulator.get(Self.books)
            #expect(answer.bytes.isEmpty)
            #expect(answer.end == .reset)
        }
    }

    @Test("a truncated response is shorter than its Content-Length")
    func truncate() async throws {
        try await RunningEmulator.run { emulator in
            let whole = try await emulator.get(Self.books)
            try await emulator.setFaults(#"[{"kind":"truncate"}]"#)
            let cut = try await emulator.get(Self.books)
            #expect(cut.header("Content-Length") == String(whole.body.count))
            #expect(cut.body == Array(whole.body.prefix(whole.body.count / 2)))
        }
    }

    @Test("a hanging request delays no other request and ends when its client disconnects", .timeLimit(.minutes(1)))
    func hang() async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(#"[{"kind":"hang","times":1}]"#)
            let hanging = try await RawConnection(port: emulator.port)
            try await hanging.send("GET", Self.books)
            while try await emulator.log().isEmpty {}
            #expect(try await emulator.get(Self.books).status == 200)
            #expect(try await inFlight(emulator) == 1)
            try await hanging.close()
            #expect(try await hanging.received().bytes.isEmpty)
            while try await inFlight(emulator) > 0 {}
        }
    }

    private func inFlight(_ emulator: RunningEmulator) async throws -> Int {
        let statistics = try await emulator.json("/_emulator/stats")
        return try #require(statistics["providers"]?["openlibrary"]?["inFlight"]?.integer)
    }

    @Test("a huge response has no Content-Length and exceeds the requested size")
    func huge() async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(#"[{"kind":"huge","megabytes":2}]"#)
            let answer = try await emulator.get(Self.volumes)
            #expect(answer.header("Content-Length") == nil)
            #expect(answer.body.count > 2 << 20)
            #expect(answer.body.contains(UInt8(ascii: "{")))
        }
    }

    @Test("a gzip bomb is small in transit")
    func bomb() async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(#"[{"kind":"bomb","megabytes":1}]"#)
            let answer = try await emulator.get(Self.volumes)
            #expect(answer.header("Content-Encoding") == "gzip")
            #expect(answer.body.starts(with: [0x1F, 0x8B]))
            #expect(answer.body.count < 1 << 13)
        }
    }

    @Test("a wrongBook fault returns a different book for the requested ISBN")
    func wrongBook() async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(#"[{"kind":"wrongBook","isbn":"9780618260300"}]"#)
            let details = try await emulator.json(Self.books)["ISBN:9780618260300"]?["details"]
            #expect(details?["title"] != nil)
            #expect(details?["isbn_13"]?.texts.contains("9780618260300") == false)
            let volume = try await emulator.json(Self.volumes)["items"]?.elements.first?["volumeInfo"]
            #expect(volume?["title"] != nil)
            #expect(volume?["title"] != "The Hobbit")
        }
    }

    @Test("a missing book is unknown only to the provider in the rule")
    func missing() async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(#"[{"kind":"missing","isbn":"9780618260300","provider":"openlibrary"}]"#)
            #expect(try await emulator.get(Self.books).text == "{}")
            #expect(try await emulator.json(Self.volumes)["totalItems"] == 1)
        }
    }

    @Test("a garbage response is declared as JSON, and a redirect leads to the given URL")
    func garbageAndRedirect() async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(
                #"[{"kind":"garbage","provider":"openlibrary"},{"kind":"redirect","location":"http://10.0.0.1/"}]"#)
            let garbage = try await emulator.get(Self.books)
            #expect(garbage.header("Content-Type") == "application/json")
            #expect(throws: JSONFault.self) { try JSONValue(parsing: garbage.body) }
            let redirect = try await emulator.get(Self.volumes)
            #expect(redirect.status == 302)
            #expect(redirect.header("Location") == "http://10.0.0.1/")
        }
    }

    @Test(
        "invalid rules are rejected, and the previous rules stay in effect",
        arguments: [
            #"[{"kind":"sing"}]"#, #"{"kind":"reset"}"#, #"[{"kind":"slow"}]"#, #"[{"kind":"reset","isbn":"123"}]"#,
        ])
    func refused(rules: String) async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(#"[{"kind":"status","code":500}]"#)
            #expect(try await emulator.request("PUT", "/_emulator/faults", body: rules).status == 400)
            #expect(try await emulator.get(Self.books).status == 500)
            #expect(try await emulator.request("DELETE", "/_emulator/faults").status == 200)
            #expect(try await emulator.get(Self.books).status == 200)
        }
    }
}
