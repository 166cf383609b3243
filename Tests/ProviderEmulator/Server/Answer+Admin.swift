import Foundation
import NIOCore
import NIOHTTP1

extension Answer {
    /// The log as JSON lines.
    static func log(_ entries: CircularBuffer<LogEntry>) -> Answer {
        let encoder = JSONEncoder.emulator
        var body = ByteBuffer()
        for entry in entries {
            guard let line = try? encoder.encode(entry) else { continue }
            body.writeBytes(line)
            body.writeString("\n")
        }
        return Answer(body: body, type: "application/x-ndjson")
    }

    static func encoded(_ value: some Encodable) -> Answer {
        guard let text = try? JSONEncoder.emulator.encode(value) else {
            return .text("The answer could not be encoded.", status: .internalServerError)
        }
        return .json(ByteBuffer(bytes: text))
    }
}

extension JSONEncoder {
    fileprivate static var emulator: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
