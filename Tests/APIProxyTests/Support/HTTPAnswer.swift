import BookstrackContract
import Foundation

/// An HTTP response as a client sees it.
struct HTTPAnswer {
    struct Malformed: Error {
        var bytes: [UInt8]
    }

    var status: Int
    var fields: [(name: String, value: String)]
    var body: [UInt8]

    /// Reads one complete response; all bytes after its head are its body.
    init(_ bytes: [UInt8]) throws {
        guard let split = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Malformed(bytes: bytes) }
        let lines = String(decoding: bytes[..<split.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = Int(lines[0].split(separator: " ")[1]) else { throw Malformed(bytes: bytes) }
        self.status = status
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
        body = Array(bytes[split.upperBound...])
        if self["transfer-encoding"] == "chunked" { body = try Self.unchunked(body) }
    }

    /// Removes the first response from the received bytes and returns it; nil while it is incomplete.
    static func takeFirst(of bytes: inout [UInt8]) throws -> HTTPAnswer? {
        guard let split = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = try HTTPAnswer(Array(bytes[..<split.upperBound]))
        let end = split.upperBound + (head["content-length"].flatMap(Int.init) ?? 0)
        guard bytes.count >= end else { return nil }
        defer { bytes.removeSubrange(..<end) }
        return try HTTPAnswer(Array(bytes[..<end]))
    }

    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }

    var failure: FailureEnvelope.Failure { get throws { try decode(FailureEnvelope.self).error } }

    /// The body as untyped JSON, so tests can check its keys.
    var object: [String: Any] {
        get throws {
            guard let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else {
                throw Malformed(bytes: body)
            }
            return object
        }
    }

    private static func unchunked(_ bytes: [UInt8]) throws -> [UInt8] {
        var rest = bytes[...]
        var body: [UInt8] = []
        while let end = rest.firstRange(of: Array("\r\n".utf8)) {
            guard let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16) else { break }
            if size == 0 { return body }
            body += rest[end.upperBound..<(end.upperBound + size)]
            rest = rest[(end.upperBound + size + 2)...]
        }
        throw Malformed(bytes: bytes)
    }
}
