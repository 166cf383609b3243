import Foundation

/// Parses `text/event-stream` (HTML standard §9.2.6) incrementally, in chunks of any size.
struct EventStreamParser {
    /// Maximum line length in bytes; a frame has at most 1 MiB.
    private static let lineLimit = 2 << 20

    private var line = Data()
    private var data: [String] = []
    private var sawReturn = false
    private var isFirstLine = true
    /// The newest `retry`: how long the server asks the client to wait before reconnecting, at most a minute.
    private(set) var retry: Duration?

    /// Returns the `data` of the events that end in `piece`. The frame in `data` contains the event's type, so `event` is not needed.
    ///
    /// - Throws: ``TransportFailure/malformed(_:)`` for a line that is longer than any frame.
    mutating func read(_ piece: Data) throws(TransportFailure) -> [String] {
        var events: [String] = []
        for byte in piece {
            let isFeedOfReturn = sawReturn && byte == UInt8(ascii: "\n")
            sawReturn = byte == UInt8(ascii: "\r")
            if isFeedOfReturn { continue }
            if byte == UInt8(ascii: "\n") || sawReturn {
                if let event = endLine() { events.append(event) }
            } else {
                guard line.count < Self.lineLimit else { throw .malformed("a line of the event stream is too long") }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> String? {
        var text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        if isFirstLine, text.hasPrefix("\u{FEFF}") { text.removeFirst() }
        isFirstLine = false
        if text.isEmpty { return dispatch() }
        let colon = text.firstIndex(of: ":") ?? text.endIndex
        var value = text[colon...].dropFirst()
        if value.first == " " { value.removeFirst() }
        switch text[..<colon] {
        case "data": data.append(String(value))
        case "retry":
            if let milliseconds = Int(value) { retry = .milliseconds(min(max(milliseconds, 0), 60_000)) }
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> String? {
        defer { data = [] }
        return data.isEmpty ? nil : data.joined(separator: "\n")
    }
}
