import Glibc
import WireClient

/// A WebSocket client that reads the lengths of frames (RFC 6455 §5.2), and only the start of their payloads.
struct WebSocketReader: FrameReader {
    let greeting: [UInt8]
    /// Whether the service acknowledges that a client is ready; otherwise, the client is ready after its upgrade.
    private let isGreeted: Bool
    private var isUpgraded = false
    /// The client's message after its upgrade, as a masked text frame; a key of zeros leaves the text unchanged (RFC 6455 §5.3).
    static let ready = {
        let text = Array(#"{"type":"ready"}"#.utf8)
        return [0x81, 0x80 | UInt8(text.count), 0, 0, 0, 0] + text
    }()

    init(_ path: String, at address: ServerAddress, isGreeted: Bool = true) {
        greeting = Self.request(path, at: address)
        self.isGreeted = isGreeted
    }

    /// The request for the upgrade.
    static func request(_ path: String, at address: ServerAddress) -> [UInt8] {
        let head = """
            GET \(path) HTTP/1.1\r\nHost: \(address.host):\(address.port)\r\nConnection: Upgrade\r\nUpgrade: websocket\r
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
            """
        return Array(head.utf8)
    }

    mutating func next(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> CrowdEvent? {
        guard isUpgraded else {
            guard let end = bytes.place(of: "\r\n\r\n") else { return nil }
            bytes = bytes[(end + 4)...]
            isUpgraded = true
            return isGreeted ? .reply(Self.ready) : .ready
        }
        guard let payload = Self.payload(&bytes) else { return nil }
        if payload.begins(with: "{\"type\":\"ready_ack\"") { return .ready }
        guard payload.begins(with: "{\"type\":\"job_progress\"") else { return .other }
        return .frame(seq: payload.number(after: ",\"seq\":"))
    }

    private static func payload(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer>? {
        guard bytes.count >= 2 else { return nil }
        let start = bytes.startIndex
        var (header, length) = (2, Int(bytes[start + 1]))
        if length > 125 {
            header = length == 126 ? 4 : 10
            guard bytes.count >= header else { return nil }
            length = bytes[(start + 2)..<(start + header)].reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.count >= header + length else { return nil }
        let end = start + header + length
        defer { bytes = bytes[end...] }
        return bytes[(start + header)..<end]
    }
}

/// A Redis subscriber: reads arrays whose third element is the message or the number of subscriptions
/// (redis.io/docs/latest/develop/reference/protocol-spec).
struct RedisReader: FrameReader {
    let greeting: [UInt8]
    private var isSubscribed = false

    init(subscribingTo channel: String) { greeting = Array(PeerPublisher.command("SUBSCRIBE", channel).utf8) }

    mutating func next(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> CrowdEvent? {
        var rest = bytes
        guard Self.line(&rest) != nil, Self.bulk(&rest) != nil, Self.bulk(&rest) != nil else { return nil }
        guard isSubscribed else {
            guard Self.line(&rest) != nil else { return nil }
            bytes = rest
            isSubscribed = true
            return .ready
        }
        guard let message = Self.bulk(&rest) else { return nil }
        bytes = rest
        return .frame(seq: message.number(after: ",\"seq\":"))
    }

    /// The number in a line, such as `*3` or `$7`.
    private static func line(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> Int? {
        guard let end = bytes.place(of: "\r\n") else { return nil }
        let digits = bytes[bytes.startIndex..<end].dropFirst()
        bytes = bytes[(end + 2)...]
        return digits.reduce(0) { $0 * 10 + Int($1) - Int(UInt8(ascii: "0")) }
    }

    private static func bulk(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer>? {
        guard let length = line(&bytes), bytes.count >= length + 2 else { return nil }
        defer { bytes = bytes.dropFirst(length + 2) }
        return bytes.prefix(length)
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate func begins(with text: StaticString) -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: self)
        guard let start = bytes.baseAddress, count >= text.utf8CodeUnitCount else { return false }
        return memcmp(start, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// The index of the first occurrence of `text`.
    fileprivate func place(of text: StaticString) -> Int? {
        let bytes = UnsafeRawBufferPointer(rebasing: self)
        let length = text.utf8CodeUnitCount
        guard let start = bytes.baseAddress, count >= length else { return nil }
        for offset in 0...(count - length)
        where bytes[offset] == text.utf8Start[0] && memcmp(start + offset, text.utf8Start, length) == 0 {
            return startIndex + offset
        }
        return nil
    }

    /// The number that follows the first occurrence of `text`.
    fileprivate func number(after text: StaticString) -> Int? {
        guard let place = place(of: text) else { return nil }
        var number = 0
        for byte in self[(place + text.utf8CodeUnitCount)...] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return number }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return nil
    }
}
