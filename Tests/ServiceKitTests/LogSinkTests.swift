import Foundation
import Logging
import Observability
import ServiceKit
import Testing
import TestSupport

@Suite("The log sink")
struct LogSinkTests {
    @Test("a logger's lines arrive in order with their most specific metadata")
    func lines() {
        let pipe = Pipe()
        let sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        var logger = Logger(label: "kit") { label in
            SuiteLogHandler(
                label: label, level: .info, style: .pretty, sink: sink, tail: TailHub(),
                clock: ManualClock(date: Date(timeIntervalSince1970: 0)))
        }
        logger[metadataKey: "job"] = "J"
        logger.debug("too fine to be logged")
        logger.info("first")
        logger.error("second", metadata: ["job": "K"])
        sink.close(within: 60)
        try? pipe.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == "00:00:00.000 info     kit: first job=J\n00:00:00.000 error    kit: second job=K\n")
    }

    @Test("a stalled reader loses lines without delaying the logger, and learns how many it lost")
    func stalledReader() {
        let pipe = Pipe()
        let sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor, bound: 1_000)
        let line = String(repeating: "x", count: 99)
        for _ in 0..<5_000 { sink.write(line) }
        var text = ""
        while !text.contains(/\(log lines dropped: \d+\)\n/) && text.utf8.count < 5_000 * 100 {
            sink.write("last")
            text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        }
        #expect(text.contains(/\(log lines dropped: \d+\)\n/))
        #expect(sink.droppedLines > 0)
        sink.close(within: 60)
    }

    @Test("a slow reader of a non-blocking descriptor receives every line")
    func slowReader() throws {
        let pipe = Pipe()
        let writing = pipe.fileHandleForWriting.fileDescriptor
        try #require(fcntl(writing, F_SETFL, fcntl(writing, F_GETFL) | O_NONBLOCK) == 0)
        let sink = LogSink(descriptor: writing)
        let lines = (0..<5_000).map { "line \($0) " + String(repeating: "x", count: 90) }
        for line in lines { sink.write(line) }
        var text = ""
        while !text.hasSuffix(lines[4_999] + "\n") {
            text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        }
        #expect(text == lines.joined(separator: "\n") + "\n")
        #expect(sink.droppedLines == 0)
        sink.close(within: 60)
    }

    /// Waits until the sink's thread has counted this many dropped lines, for at most ten seconds.
    private func awaitDropped(_ count: Int, of sink: LogSink) {
        let limit = ContinuousClock.now + .seconds(10)
        while sink.droppedLines < count, .now < limit { sched_yield() }
    }

    @Test("lines lost on a full disk are counted, and the count is reported once there is space")
    func fullDisk() throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/log"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        let descriptor = dup(full)
        defer { for opened in [file, full, descriptor] { close(opened) } }
        try #require(min(file, full, descriptor) >= 0)
        let sink = LogSink(descriptor: descriptor)
        for count in 1...2 {
            sink.write("lost")
            awaitDropped(count, of: sink)
        }
        try #require(dup2(file, descriptor) == descriptor)
        sink.write("kept")
        sink.close(within: 60)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept\n(log lines dropped: 2)\n")
        #expect(sink.droppedLines == 2)
    }

    @Test("a partially written line is not continued by the next one")
    func partOfLine() throws {
        signal(SIGPIPE, SIG_IGN)
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/log"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let pipe = Pipe()
        let descriptor = dup(pipe.fileHandleForWriting.fileDescriptor)
        defer { for opened in [file, descriptor] { close(opened) } }
        try #require(min(file, descriptor) >= 0)
        let sink = LogSink(descriptor: descriptor)
        sink.write(String(repeating: "x", count: 200_000))
        _ = pipe.fileHandleForReading.availableData
        try pipe.fileHandleForReading.close()
        awaitDropped(1, of: sink)
        try #require(dup2(file, descriptor) == descriptor)
        sink.write("next")
        sink.close(within: 60)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "\nnext\n(log lines dropped: 1)\n")
    }
}

@Suite("The journal on standard error")
struct JournalStreamTests {
    @Test("a descriptor is connected to the journal if JOURNAL_STREAM contains its device and inode")
    func connected() {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        var status = stat()
        fstat(descriptor, &status)
        func isConnected(_ value: String?) -> Bool {
            JournalStream.isConnected(descriptor, environment: value.map { ["JOURNAL_STREAM": $0] } ?? [:])
        }
        #expect(isConnected("\(status.st_dev):\(status.st_ino)"))
        #expect(!isConnected("\(status.st_dev):\(status.st_ino + 1)"))
        for value in [nil, "", ":", "1", "a:b", "\(status.st_dev):"] { #expect(!isConnected(value)) }
    }
}
