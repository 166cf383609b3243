import NIOCore
import TestSupport

@testable import APIProxy

/// A client for server-sent events that returns the events unchanged, without the chunk framing.
final class EventStreamClient {
    let connection: RawConnection
    /// Received bytes that have not been parsed yet, with the chunk framing.
    private var unread: [UInt8] = []
    /// The parsed part of the body that has not been returned yet.
    private var text: [UInt8] = []
    private var hasEnded = false

    /// Creates a client that reads the response to a request already sent on `connection`.
    init(on connection: RawConnection) { self.connection = connection }

    /// Requests the stream on a new connection.
    convenience init(
        port: Int, _ path: String, token: String? = nil, fields: [String] = [], receiveBuffer: Int? = nil
    ) async throws {
        let connection = try await RawConnection(port: port, receiveBuffer: receiveBuffer)
        self.init(on: connection)
        let lines =
            ["GET \(path) HTTP/1.1", "Host: localhost"] + fields + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
        try await connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// The head of the response.
    func head() async throws -> HTTPAnswer {
        while true {
            if let end = unread.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
                defer { unread.removeSubrange(..<end) }
                var head = Array(unread[..<end])
                // `HTTPAnswer` can decode chunks only if the whole body has arrived.
                for name in ["Transfer-Encoding", "transfer-encoding"] {
                    guard let field = head.firstRange(of: Array("\r\n\(name): chunked".utf8)) else { continue }
                    head.removeSubrange(field)
                }
                return try HTTPAnswer(head)
            }
            guard try await receive() else { throw HTTPAnswer.Malformed(bytes: unread) }
        }
    }

    /// The next event or comment, without the empty line that ends it; nil at the end of the body.
    func next() async throws -> String? {
        while true {
            if let end = text.firstRange(of: Array("\n\n".utf8)) {
                defer { text.removeSubrange(..<end.upperBound) }
                return String(decoding: text[..<end.lowerBound], as: UTF8.self)
            }
            if hasEnded { return nil }
            if try takeChunk() { continue }
            guard try await receive() else { throw HTTPAnswer.Malformed(bytes: text) }
        }
    }

    /// Moves the next chunk to `text` if the chunk is complete (RFC 9112 §7.1), and returns whether it was.
    private func takeChunk() throws -> Bool {
        guard let line = unread.firstRange(of: Array("\r\n".utf8)) else { return false }
        guard let size = Int(String(decoding: unread[..<line.lowerBound], as: UTF8.self), radix: 16) else {
            throw HTTPAnswer.Malformed(bytes: unread)
        }
        let end = line.upperBound + size
        guard unread.count >= end + 2 else { return false }
        text += unread[line.upperBound..<end]
        unread.removeSubrange(..<(end + 2))
        hasEnded = size == 0
        return true
    }

    private func receive() async throws -> Bool {
        guard case .bytes(let bytes) = try await connection.arrivals.take() else { return false }
        unread += bytes
        return true
    }
}
