#if NIOTransport && canImport(FoundationNetworking)
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOWebSocket

    /// The client side of the opening handshake (RFC 6455 §4.1), fed with bytes as they arrive.
    struct WebSocketHandshake {
        /// The server's response.
        enum Outcome: Equatable {
            /// The connection is now a WebSocket; these bytes already belong to it.
            case accepted(rest: Data)
            /// The server refused the upgrade with this response.
            case refused(ClientAnswer)
        }

        private static let headLimit = 16 << 10
        private static let bodyLimit = 1 << 20
        private static let headEnd = Data("\r\n\r\n".utf8)

        /// The request, including its final empty line.
        let request: String

        private let upgrader = NIOWebSocketClientUpgrader { channel, _ in channel.eventLoop.makeSucceededVoidFuture() }
        private var received = Data()
        private var refusal: ClientAnswer?

        init(target: String, host: String, fields: [String: String]) {
            var headers = HTTPHeaders([("Host", host), ("Connection", "Upgrade"), ("Upgrade", "websocket")])
            for (name, value) in fields { headers.add(name: name, value: value) }
            upgrader.addCustom(upgradeRequestHeaders: &headers)
            var text = "GET \(target) HTTP/1.1\r\n"
            for (name, value) in headers { text += "\(name): \(value)\r\n" }
            request = text + "\r\n"
        }

        /// Processes received bytes; returns nil while the response is incomplete.
        mutating func read(_ bytes: Data) throws(TransportFailure) -> Outcome? {
            received.append(bytes)
            if refusal != nil { return try readBody() }
            guard let end = received.firstRange(of: Self.headEnd) else {
                guard received.count <= Self.headLimit else { throw .malformed("the response head is too long") }
                return nil
            }
            let head = try Self.head(String(decoding: received[..<end.lowerBound], as: UTF8.self))
            received = Data(received[end.upperBound...])
            guard head.status == .switchingProtocols else {
                var answer = ClientAnswer(status: Int(head.status.code))
                for (name, value) in head.headers { answer.headers[name.lowercased()] = value }
                refusal = answer
                return try readBody()
            }
            guard upgrader.shouldAllowUpgrade(upgradeResponse: head) else {
                throw .malformed("the server's Sec-WebSocket-Accept does not match")
            }
            return .accepted(rest: received)
        }

        /// The error response whose body ends with the connection; nil if there is none, or if its body has a length and is cut off.
        var refusalAtEnd: ClientAnswer? {
            guard var answer = refusal, answer.headers["content-length"] == nil else { return nil }
            answer.body = received
            return answer
        }

        private func readBody() throws(TransportFailure) -> Outcome? {
            guard var answer = refusal else { return nil }
            guard received.count <= Self.bodyLimit else { throw .malformed("the error response is too long") }
            guard let length = answer.headers["content-length"].flatMap({ Int($0) }) else { return nil }
            guard length >= 0 else { throw .malformed("the response is not HTTP") }
            guard received.count >= length else { return nil }
            answer.body = received.prefix(length)
            return .refused(answer)
        }

        private static func head(_ text: String) throws(TransportFailure) -> HTTPResponseHead {
            let lines = text.split(separator: "\r\n")
            let start = (lines.first ?? "").split(separator: " ", maxSplits: 2)
            // A status has three digits (RFC 9112 §4).
            guard start.count >= 2, start[0].hasPrefix("HTTP/1."), let status = Int(start[1]),
                (100...999).contains(status)
            else { throw .malformed("the response is not HTTP") }
            var headers = HTTPHeaders()
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { throw .malformed("the response is not HTTP") }
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                headers.add(name: String(line[..<colon]), value: value)
            }
            return HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: headers)
        }
    }
#endif
