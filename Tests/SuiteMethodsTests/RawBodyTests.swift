import BookstrackContract
import NIOCore
import SuiteMethods
import TestSupport
import Testing

/// Bodies that processes slice instead of decoding (Services/README.md "JSON-RPC", hot messages).
@Suite("Raw bodies")
struct RawBodyTests {
    private static let frames = [
        #"{}"#, #"{"a":"]}\",\"frame\":"}"#, #""PONG""#, #"{"title":"Žluť 🦊 \u0000"}"#,
        #"{"sockets":[1],"kind":"ping"}"#,
    ]

    @Test("a delivery is unchanged by encoding and decoding", arguments: SocketDelivery.Kind.allCases, frames)
    func delivery(kind: SocketDelivery.Kind, frame: String) {
        for sockets in [[], [SocketID(0)], [SocketID(7), SocketID(.max), SocketID(1)]] {
            for seq in [0, 17, Int.max] {
                let delivery = SocketDelivery(sockets: sockets, kind: kind, seq: seq, frame: ByteBuffer(string: frame))
                #expect(SocketDelivery(raw: delivery.raw) == delivery)
            }
        }
    }

    @Test(
        "a page of results is unchanged by encoding and decoding",
        arguments: [nil, 0, 5, Int.max] as [Int?], ["", "{}", #"{"a":"],["},{"b":[1,2]}"#])
    func page(next: Int?, rows: String) {
        let page = ResultsPage(next: next, rows: ByteBuffer(string: rows))
        #expect(ResultsPage(raw: page.raw) == page)
    }

    @Test(
        "the head of the results with the first page is unchanged by encoding and decoding",
        arguments: [nil, 7] as [Int?], ["", #"{"a":",\"page\":["},{}"#])
    func results(next: Int?, rows: String) throws {
        let results = ReadResults(
            head: .init(
                jobId: JobID("job-under-test")!, resultsRevision: 2, expiresAt: "2025-11-16T20:00:00.000Z",
                successCount: 3, failureCount: 0), page: ResultsPage(next: next, rows: ByteBuffer(string: rows)))
        let read = try #require(ReadResults(raw: try results.raw()))
        #expect(read.head == results.head)
        #expect(read.page == results.page)
    }

    private func work(_ rows: [String]) -> RecordWork {
        let rows = rows.map { ByteBuffer(string: $0) }
        let outcomes = rows.enumerated().map { index, row in
            ItemOutcome(
                key: ItemKey(jobId: JobID("job-under-test")!, index: index), workClass: .bulk,
                errorCode: index % 2 == 0 ? nil : .notFound, title: #"quote " and ,"rows":[ "#, followUp: .soon,
                rowLength: row.readableBytes)
        }
        return RecordWork(outcomes: outcomes, rows: rows)
    }

    @Test(
        "recorded work is unchanged by encoding and decoding, whatever its rows contain",
        arguments: [[], ["{}"], [#"{"a":"},{"}"#, #"{"rows":[1]}"#, #"{"t":"🦊"}"#]] as [[String]])
    func record(rows: [String]) throws {
        let read = try #require(RecordWork(raw: work(rows).raw()))
        #expect(read.rows.map { String(buffer: $0) } == rows)
        #expect(read.outcomes.map(\.key.index) == Array(rows.indices))
        #expect(read.outcomes.map(\.rowLength) == rows.map(\.utf8.count))
    }

    @Test(
        "recorded work whose row lengths do not match its rows is rejected",
        arguments: [-1, 0, 1, 3, 1_000, Int.max, Int.min])
    func wrongLengths(length: Int) {
        var work = work(["{}", "{}"])
        work.outcomes[0].rowLength = length
        #expect(RecordWork(raw: work.raw()) == nil)
    }

    @Test("a damaged body is rejected or decoded to a consistent value, and never causes a crash", arguments: 0..<12)
    func damage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bodies = [
            SocketDelivery(sockets: [SocketID(1)], kind: .event, seq: 4, frame: ByteBuffer(string: "{}")).raw,
            ResultsPage(next: 3, rows: ByteBuffer(string: "{},{}")).raw, work(["{}", #"{"a":1}"#]).raw(),
            ByteBuffer(string: #"{"head":{"jobId":"j","resultsRevision":1},"page":[-1,{}]}"#),
        ]
        for body in bodies {
            for _ in 0..<200 {
                var bytes = Array(body.readableBytesView)
                for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                    let place = Int.random(in: bytes.indices, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                    case 1: bytes.remove(at: place)
                    default: bytes.insert(UInt8.random(in: 32...126, using: &random), at: place)
                    }
                }
                let damaged = ByteBuffer(bytes: bytes)
                if let read = SocketDelivery(raw: damaged) { #expect(SocketDelivery(raw: read.raw) == read) }
                _ = ReadResults(raw: damaged)
                if let read = ResultsPage(raw: damaged) { #expect(ResultsPage(raw: read.raw) == read) }
                if let read = RecordWork(raw: damaged) { #expect(read.rows.count == read.outcomes.count) }
            }
        }
    }

    @Test(
        "short invalid bodies are rejected",
        arguments: ["", "[", "]", "{", "[]", "[1", "{}", "null", #"{"outcomes":[]}"#, #"{"sockets":["#])
    func garbage(text: String) {
        #expect(SocketDelivery(raw: ByteBuffer(string: text)) == nil)
        #expect(ResultsPage(raw: ByteBuffer(string: text)) == nil)
        #expect(RecordWork(raw: ByteBuffer(string: text)) == nil)
    }
}
