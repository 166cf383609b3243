import Foundation
import Logging
import Observability
import ServiceKit
import Testing

@Suite("What is logged")
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
            SuiteLogHandler(label: $0, level: .info, style: .pretty, sink: sink, tail: hub, milliseconds: { 0 })
        }
    }

    private func written() -> String {
        sink.close(within: 60)
        try? pipe.fileHandleForWriting.close()
        return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    @Test("belongs to the request and the job that it was logged for")
    func activity() {
        let activity = Activity(TraceContext(requestID: "r-1"), jobID: "job-1")
        Activity.$current.withValue(activity) { logger.info("looked up") }
        #expect(written() == "00:00:00.000 info     kit: looked up jobId=job-1 requestId=r-1\n")
        #expect(activity.noted.lines.map(\.message) == ["looked up"])
        #expect(hub.newest == 0)
    }

    @Test("goes to the tail by itself where it belongs to nothing")
    func background() {
        logger.warning("the disk is nearly full")
        _ = written()
        let entries = hub.entries(after: 0, atMost: 9).entries
        #expect(entries.map(\.kind) == [.log])
        #expect(entries.first?.lines.map(\.message) == ["the disk is nearly full"])
    }

    @Test("holds no secrets")
    func secrets() {
        let activity = Activity(TraceContext())
        Activity.$current.withValue(activity) {
            logger.error("GET /x?token=s3cret", metadata: ["url": "/y?key=s3cret", "list": ["Bearer s3cret"]])
        }
        #expect(!written().contains("s3cret"))
        #expect(!"\(activity.noted.lines)".contains("s3cret"))
    }

    @Test("is never finer than a logger's own level, whoever follows")
    func ownLevel() {
        var quiet = logger
        quiet.logLevel = .notice
        hub.follow(level: .debug)
        quiet.debug("a whole service, described")
        quiet.notice("said")
        #expect(written() == "00:00:00.000 notice   kit: said\n")
        #expect(hub.entries(after: 0, atMost: 9).entries.flatMap(\.lines).map(\.message) == ["said"])
    }

    @Test("holds no value whose name says that it is secret")
    func namedSecrets() {
        logger.error(
            "refused",
            metadata: ["token": "s3cret", "headers": ["Cookie": "s3cret", "old-token": ["s3cret"]], "status": "401"])
        let line = written()
        #expect(!line.contains("s3cret"))
        #expect(line.contains("status=401"))
    }

    @Test("is finer for who follows than what is written")
    func followedLevel() {
        hub.follow(level: .debug)
        logger.debug("a detail")
        hub.follow(level: nil)
        logger.debug("another detail")
        #expect(written().isEmpty)
        #expect(hub.entries(after: 0, atMost: 9).entries.flatMap(\.lines).map(\.message) == ["a detail"])
    }
}
