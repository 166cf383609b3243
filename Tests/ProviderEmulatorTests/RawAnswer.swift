import Foundation

/// What came back on a connection: every byte, and how it ended.
struct RawAnswer: Sendable {
    enum End: Equatable, Sendable {
        case closed
        case reset
    }

    let bytes: [UInt8]
    let end: End

    private var separator: Range<Int>? {
        bytes.indices.dropLast(3).first { bytes[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) }.map { $0..<$0 + 4 }
    }

    private var head: String { String(decoding: bytes[..<(separator?.lowerBound ?? bytes.endIndex)], as: UTF8.self) }

    var body: [UInt8] { separator.map { Array(bytes[$0.upperBound...]) } ?? [] }

    var text: String { String(decoding: body, as: UTF8.self) }

    var status: Int? { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } }

    func header(_ name: String) -> String? {
        head.split(separator: "\r\n").dropFirst().first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
    }
}
