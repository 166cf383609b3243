import Foundation
import Logging
import Observability
import ServiceKit
import Testing

@Suite("The sink of the log")
struct LogSinkTests {
    @Test("a logger's lines arrive in order, with the most specific metadata")
    func lines() {
        let pipe = Pipe()
        let sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        var logger = Logger(label: "kit") { label in
            SuiteLogHandler(
                label: label, level: .info, style: .pretty, sink: sink, tail: TailHub(), milliseconds: { 0 })
        }
        logger[metadataKey: "job"] = "J"
        logger.debug("too fine to be logged")
        logger.info("first")
        logger.error("second", metadata: ["job": "K"])
        sink.close(within: 5)
        try? pipe.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == "00:00:00.000 info     kit: first job=J\n00:00:00.000 error    kit: second job=K\n")
    }

    @Test("a reader that does not read costs lines, not time, and is told how many")
    func stalledReader() {
        let pipe = Pipe()
        let sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor, bound: 1_000)
        let line = String(repeating: "x", count: 99)
        for _ in 0..<5_000 { sink.write(line) }
        var text = ""
        while !text.contains(" log lines dropped)\n") && text.utf8.count < 5_000 * 100 {
            sink.write("last")
            text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        }
        #expect(text.contains(" log lines dropped)\n"))
        #expect(sink.droppedLines > 0)
        sink.close(within: 5)
    }
}
