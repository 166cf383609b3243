import Foundation
import Logging
import Observability
import Testing
import TestSupport
@testable import ServiceKit

@Suite("Log messages")
struct LogHandlerTests {
    private let hub = TailHub()
    private let pipe = Pipe()
    private let sink: LogSink
    private let logger: Logger

    init() {
        let sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let hub = hub
        self.sink = sink
        logger = Logger(label: "kit") {
            SuiteLogHandler(
                label: $0, level: .info, style: .pretty, sink: sink, tail: hub,
                clock: ManualClock(date: Date(timeIntervalSince1970: 0)))
        }
    }

    private func written() -> String {
        sink.close(within: 60)
        try? pipe.fileHandleForWriting.close()
        return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    @Test("messages contain their request and job identifiers")
    func activity() {
        let activity = Activity(TraceContext(requestID: "r-1"), jobID: "job-1")
        Activity.$current.withValue(activity) { logger.info("looked up") }
        #expect(written() == "00:00:00.000 info     kit: looked up jobId=job-1 requestId=r-1\n")
        #expect(activity.noted.lines.map(\.message) == ["looked up"])
        #expect(hub.newest == 0)
    }

    @Test("messages that belong to no activity are sent directly to the tail")
    func background() {
        logger.warning("the disk is nearly full")
        _ = written()
        let entries = hub.entries(after: 0, atMost: 9).entries
        #expect(entries.map(\.kind) == [.log])
        #expect(entries.first?.lines.map(\.message) == ["the disk is nearly full"])
    }

    @Test("messages do not contain secrets")
    func secrets() {
        let activity = Activity(TraceContext())
        Activity.$current.withValue(activity) {
            logger.error("GET /x?token=s3cret", metadata: ["url": "/y?key=s3cret", "list": ["Bearer s3cret"]])
        }
        let text = written()
        #expect(text.contains("token=REDACTED"))
        #expect(!text.contains("s3cret"))
        #expect(activity.noted.lines.map(\.message) == ["GET /x?token=REDACTED"])
        #expect(!"\(activity.noted.lines)".contains("s3cret"))
    }

    @Test("messages below a logger's own level reach neither the log nor followers")
    func ownLevel() {
        var quiet = logger
        quiet.logLevel = .notice
        hub.follow(level: .debug)
        quiet.debug("a whole service, described")
        quiet.notice("said")
        #expect(written() == "00:00:00.000 notice   kit: said\n")
        #expect(hub.entries(after: 0, atMost: 9).entries.flatMap(\.lines).map(\.message) == ["said"])
    }

    @Test("metadata values are masked if their names indicate secrets")
    func namedSecrets() {
        logger.error(
            "refused",
            metadata: ["token": "s3cret", "headers": ["Cookie": "s3cret", "old-token": ["s3cret"]], "status": "401"])
        let line = written()
        #expect(!line.contains("s3cret"))
        #expect(line.contains("status=401"))
    }

    @Test("messages below the log's own level can reach followers")
    func followedLevel() {
        hub.follow(level: .debug)
        logger.debug("a detail")
        hub.follow(level: nil)
        logger.debug("another detail")
        #expect(written().isEmpty)
        #expect(hub.entries(after: 0, atMost: 9).entries.flatMap(\.lines).map(\.message) == ["a detail"])
    }
}

@Suite("Log lines")
struct LogRecordTests {
    private func record(_ message: String, _ metadata: Logger.Metadata = [:]) -> LogRecord {
        LogRecord(
            LoggedLine(time: 1_700_000_000_123, level: .notice, message: message, metadata: metadata),
            label: "api-proxy")
    }

    @Test("a JSON line is one object with time, level, label, message and metadata")
    func json() {
        let line = record(
            "job \"a/b\"\nstarted", ["jobId": "J", "ports": [1, 2].asMetadata, "peer": ["uid": "0"]]
        ).line(.json)
        #expect(
            line
                == #"{"time":"2023-11-14T22:13:20.123Z","level":"notice","label":"api-proxy","#
                + #""message":"job \"a/b\"\u000astarted","metadata":{"jobId":"J","peer":{"uid":"0"},"ports":["1","2"]}}"#
        )
    }

    @Test("a pretty line contains the time of day, the level, the label, the message and sorted metadata")
    func pretty() {
        let line = record("job started", ["b": "2", "a": ["x": ["y"]]]).line(.pretty)
        #expect(line == "22:13:20.123 notice   api-proxy: job started a={x=[y]} b=2")
    }

    @Test(
        "a journal line contains the priority, the message and the fields, and leaves time and service to the journal")
    func journal() {
        #expect(record("job started", ["b": "2", "a": "1"]).line(.journal) == "<5>job started a=1 b=2")
        let priorities = Logger.Level.allCases.map { level in
            LogRecord(LoggedLine(time: 0, level: level, message: "m", metadata: [:]), label: "l").line(.journal)
                .prefix(3)
        }
        #expect(priorities == ["<7>", "<7>", "<6>", "<5>", "<4>", "<3>", "<2>"])
        #expect(!record("a\nb").line(.journal).contains("\n"))
    }

    @Test(
        "a message cannot reverse the direction of the text after it, and joiners are kept",
        arguments: Array("\u{202A}\u{202E}\u{2066}\u{2069}\u{2028}\u{2029}".unicodeScalars))
    func direction(scalar: Unicode.Scalar) {
        let line = record("a\(scalar)b 👩\u{200D}🚀", ["title": "\(scalar)"]).line(.pretty)
        #expect(!line.unicodeScalars.contains(scalar))
        #expect(line.contains("a" + scalar.escaped(asASCII: true) + "b 👩\u{200D}🚀"))
        #expect(!record("\(scalar)").line(.journal).unicodeScalars.contains(scalar))
    }

    @Test("a message cannot forge a second line or move the terminal's cursor")
    func controls() {
        let line = record("a\nb\u{1B}[2J").line(.pretty)
        #expect(line.hasSuffix(#"a\nb\u{1B}[2J"#))
        #expect(!record("a\nb").line(.json).contains("\n"))
    }
}

extension [Int] {
    fileprivate var asMetadata: Logger.MetadataValue { .array(map { .stringConvertible($0) }) }
}
