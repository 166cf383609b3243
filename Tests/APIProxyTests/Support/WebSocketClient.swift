import Foundation
import TestSupport

/// A WebSocket client that sends raw bytes, so it can also violate the protocol.
final class WebSocketClient {
    /// A frame from the server.
    struct Frame: Equatable, CustomStringConvertible {
        var opcode: UInt8
        var payload: [UInt8]
        var text: String { String(decoding: payload, as: UTF8.self) }
        var closeCode: Int? { opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil }
        var description: String {
            closeCode.map { "close \($0) \(String(decoding: payload.dropFirst(2), as: UTF8.self))" }
                ?? "\(opcode): \(text)"
        }
    }

    struct Refused: Error {
        var answer: HTTPAnswer
    }

    struct Ended: Error {}

    let connection: RawConnection
    private(set) var head = ""
    private var buffer: [UInt8] = []

    static let key = "dGhlIHNhbXBsZSBub25jZQ=="

    /// The request that opens a WebSocket.
    static func request(
        path: String = "/ws/progress", query: String = "jobId=job-12345&token=tok-1", fields: [String] = [],
        upgrade: [String] = ["Upgrade: websocket", "Connection: Upgrade"]
    ) -> String {
        let lines =
            ["GET \(path)?\(query) HTTP/1.1", "Host: localhost"] + upgrade
            + ["Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13"] + fields
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Connects and upgrades. Throws `Refused` if the response is not a 101.
    convenience init(
        port: Int, query: String = "jobId=job-12345&token=tok-1", fields: [String] = [],
        upgrade: [String] = ["Upgrade: websocket", "Connection: Upgrade"], receiveBuffer: Int? = nil
    ) async throws {
        let connection = try await RawConnection(port: port, receiveBuffer: receiveBuffer)
        try await self.init(on: connection, asking: Self.request(query: query, fields: fields, upgrade: upgrade))
    }

    /// Upgrades a connection on which all earlier requests have been answered.
    init(on connection: RawConnection, asking request: String = request()) async throws {
        self.connection = connection
        try await connection.send(request)
        while true {
            if let split = buffer.firstRange(of: Array("\r\n\r\n".utf8)) {
                head = String(decoding: buffer[..<split.lowerBound], as: UTF8.self)
                guard !head.hasPrefix("HTTP/1.1 101") else {
                    buffer.removeSubrange(..<split.upperBound)
                    return
                }
                throw Refused(answer: try HTTPAnswer(buffer + (try await connection.readToEnd())))
            }
            try await fill()
        }
    }

    /// Uses a connection whose 101 response has been read.
    init(upgraded connection: RawConnection) { self.connection = connection }

    private func fill() async throws {
        guard case .bytes(let bytes) = try await connection.arrivals.take() else { throw Ended() }
        buffer += bytes
    }

    /// The next frame. Throws `Ended` when the connection has ended.
    func next() async throws -> Frame {
        while true {
            if let frame = takeFrame() { return frame }
            try await fill()
        }
    }

    /// All frames up to and including the close frame.
    func framesToClose() async throws -> [Frame] {
        var frames: [Frame] = []
        repeat { frames.append(try await next()) } while frames.last?.opcode != 8
        return frames
    }

    private func takeFrame() -> Frame? {
        guard buffer.count >= 2 else { return nil }
        var length = Int(buffer[1] & 0x7F)
        var start = 2
        if length >= 126 {
            let size = length == 126 ? 2 : 8
            guard buffer.count >= 2 + size else { return nil }
            length = buffer[2..<(2 + size)].reduce(0) { $0 << 8 | Int($1) }
            start = 2 + size
        }
        guard buffer.count >= start + length else { return nil }
        let frame = Frame(opcode: buffer[0] & 0x0F, payload: Array(buffer[start..<(start + length)]))
        buffer.removeSubrange(..<(start + length))
        return frame
    }

    func send(_ text: String) async throws { try await send(opcode: 1, Array(text.utf8)) }

    func send(opcode: UInt8, _ payload: [UInt8], fin: Bool = true, masked: Bool = true) async throws {
        try await connection.send(Self.frame(opcode: opcode, payload, fin: fin, masked: masked))
    }

    static func frame(opcode: UInt8, _ payload: [UInt8], fin: Bool = true, masked: Bool = true) -> [UInt8] {
        var bytes = [(fin ? 0x80 : 0) | opcode]
        let mask: UInt8 = masked ? 0x80 : 0
        switch payload.count {
        case ...125: bytes.append(mask | UInt8(payload.count))
        case ...65_535: bytes += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default: bytes += [mask | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
        }
        guard masked else { return bytes + payload }
        let key: [UInt8] = [1, 2, 3, 4]
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }
}
