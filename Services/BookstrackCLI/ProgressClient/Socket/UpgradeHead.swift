import NIOCore
import NIOHTTP1

/// Cuts the head of an answer off the bytes of a new connection.
enum UpgradeHead {
    /// Largest head of a 101, in bytes.
    static let limit = 16 << 10

    private static let end = Array("\r\n\r\n".utf8)

    /// The length of the head with its empty line; nil as long as it is not whole.
    static func length(in bytes: ByteBuffer) -> Int? {
        let view = bytes.readableBytesView
        return view.firstRange(of: end).map { view.distance(from: view.startIndex, to: $0.upperBound) }
    }

    /// The head of a 101; nil for every other status and for what is not HTTP (RFC 9112 §4).
    static func switchingProtocols(_ text: String) -> HTTPResponseHead? {
        let lines = text.split(separator: "\r\n")
        let status = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard status.count >= 2, status[0] == "HTTP/1.1", status[1] == "101" else { return nil }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.add(name: String(line[..<colon]), value: String(value))
        }
        return HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
    }
}
