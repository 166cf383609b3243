import BookIdentifiers
import Foundation
import NIOCore
import Testing

@testable import ProviderEmulator

@Suite("Log lines and statistics")
struct LogEntryTests {
    private func arrival(_ milliseconds: Int64) -> Arrival {
        Arrival(sinceStart: .milliseconds(milliseconds), wall: Date(timeIntervalSince1970: 1_763_236_800))
    }

    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test("a log line has the documented members")
    func line() throws {
        let isbn = try #require(ISBN("9780441172719"))
        let entry = LogEntry(
            sequence: 1, arrival: arrival(12), provider: .openLibrary, path: "/api/books?bibkeys=x",
            keys: [.isbn(isbn), .author("frank herbert")], status: 200, faults: [.slow], userAgent: "Tests/1")
        #expect(
            try text(entry)
                == #"{"faults":["slow"],"isbns":["9780441172719"],"keys":["frank herbert"],"monotonicMs":12,"#
                + #""path":"/api/books?bibkeys=x","provider":"openlibrary","sequence":1,"status":200,"#
                + #""userAgent":"Tests/1","wall":"2025-11-15T20:00:00.000Z"}"#)
    }

    @Test("a log line has no status if there was no response, and no user agent if the request had none")
    func withoutAnswer() throws {
        let entry = LogEntry(
            sequence: 9, arrival: arrival(0), provider: .covers, path: "/", keys: [.cover("7")], status: nil,
            faults: [.hang], userAgent: nil)
        let text = try text(entry)
        #expect(!text.contains("status"))
        #expect(!text.contains("userAgent"))
        #expect(text.contains(#""keys":["7"]"#))
    }

    @Test("ISBNs are counted separately from other keys, and a repeated ISBN is counted each time")
    func keys() throws {
        let isbn = try #require(ISBN("9780441172719"))
        var counts = ProviderStatistics()
        counts.add(arrival(5), keys: [.isbn(isbn), .entity("Q42")], status: 200, faults: [])
        counts.add(arrival(9), keys: [.isbn(isbn)], status: 200, faults: [])
        #expect(counts.requests == 2)
        #expect(counts.isbns == 2)
        #expect(counts.keys == 1)
        #expect(counts.firstMs == 5)
        #expect(counts.lastMs == 9)
    }

    @Test(
        "an outcome is the status or, if there is none, the fault that prevented a response",
        arguments: [
            (200, [Fault.Kind](), "200"), (429, [.status], "429"), (nil, [.reset], "reset"),
            (nil, [.slow, .hang], "hang"),
            (nil, [], "none"),
        ])
    func outcomes(status: Int?, faults: [Fault.Kind], outcome: String) {
        var counts = ProviderStatistics()
        counts.add(arrival(0), keys: [], status: status, faults: faults)
        #expect(counts.outcomes == [outcome: 1])
    }

    @Test("faults are counted by kind, and one request can have several")
    func faults() {
        var counts = ProviderStatistics()
        counts.add(arrival(0), keys: [], status: 200, faults: [.slow, .slow, .missing])
        #expect(counts.faults == ["slow": 2, "missing": 1])
    }

    @Test("the peak of concurrent requests is kept after they end")
    func concurrency() {
        var counts = ProviderStatistics()
        for _ in 0..<3 { counts.add(arrival(0), keys: [], status: 200, faults: []) }
        counts.finish()
        counts.finish()
        counts.add(arrival(1), keys: [], status: 200, faults: [])
        #expect(counts.inFlight == 2)
        #expect(counts.maximumInFlight == 3)
    }

    @Test("clearing the statistics resets everything except the requests in flight")
    func restart() {
        var counts = ProviderStatistics()
        for _ in 0..<3 { counts.add(arrival(0), keys: [.entity("Q1")], status: 200, faults: [.slow]) }
        counts.finish()
        let fresh = counts.restarted
        #expect(fresh.inFlight == 2)
        #expect(fresh.requests == 0)
        #expect(fresh.keys == 0)
        #expect(fresh.outcomes.isEmpty)
        #expect(fresh.faults.isEmpty)
        #expect(fresh.firstMs == nil)
    }

    @Test("clearing the log does not restart its numbering")
    func sequence() {
        var log = RequestLog(limit: 10)
        func add() {
            log.add(
                arrival(0), provider: .isbndb, path: "/", keys: [], status: 200, faults: [], userAgent: nil)
        }
        add()
        add()
        log.clear()
        add()
        #expect(log.entries.map(\.sequence) == [3])
        #expect(log.summary.providers[.isbndb]?.requests == 1)
        #expect(log.inFlight(.isbndb) == 3)
        log.finish(.isbndb)
        #expect(log.inFlight(.isbndb) == 2)
    }

    @Test(
        "a key is logged as its plain text",
        arguments: [
            (AskedKey.author("ada"), "ada"), (.entity("Q42"), "Q42"), (.cover("12"), "12"),
            (.model("llama3"), "llama3"),
        ])
    func keyTexts(key: AskedKey, text: String) {
        #expect(key.text == text)
        #expect(key.isbn == nil)
    }
}
