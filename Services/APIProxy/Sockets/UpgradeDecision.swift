import BookstrackContract
import NIOHTTP1

/// What becomes of a request head.
enum UpgradeDecision: Equatable {
    /// Plain HTTP: the router answers.
    case http
    /// A WebSocket that progress-host accepts or refuses.
    case ask(UpgradeRequest)
    /// A WebSocket that is refused at once.
    case refuse(APIFailure)

    init(_ head: HTTPRequestHead) {
        let path = head.uri.prefix { $0 != "?" && $0 != "#" }
        guard path == UpgradeRequest.path, head.method == .GET, head.asksForWebSocket else {
            self = .http
            return
        }
        do throws(APIFailure) {
            let request = try UpgradeRequest(uri: head.uri, headers: head.headers)
            try head.checkWebSocketFields()
            self = .ask(request)
        } catch {
            self = .refuse(error)
        }
    }
}

extension APIFailure {
    /// `/ws/progress` without a usable upgrade (RFC 9110 §15.5.22).
    static func upgradeRequired(_ message: String) -> APIFailure {
        var failure = APIFailure(.upgradeRequired, message)
        failure.fields = [
            .init(name: "Upgrade", value: "websocket"), .init(name: "Connection", value: "Upgrade"),
            .init(name: "Sec-WebSocket-Version", value: "13"),
        ]
        return failure
    }
}

/// Whether NIO's decoder stops behind a request, taking it for one that is upgraded.
enum UpgradeOffer {
    case none
    case endsDecoding
    /// The fields are written so that the decoder may read them in another way.
    case unclear
}

extension HTTPRequestHead {
    var upgradeOffer: UpgradeOffer {
        guard headers.contains(name: "Upgrade") else { return .none }
        let options = headers["Connection"].map { $0.lowercased() }
        guard options.contains(where: { $0.contains("upgrade") }) else { return .none }
        let isPlain = options.joined().utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || "0123456789-, ".utf8.contains($0)
        }
        guard isPlain, headers["Upgrade"].allSatisfy({ !$0.isEmpty }) else { return .unclear }
        return headers[canonicalForm: "Connection"].contains { $0.lowercased() == "upgrade" } ? .endsDecoding : .none
    }

    /// Whether this is an upgrade request, however often the fields are repeated (websocket.md "Upgrade").
    var asksForWebSocket: Bool {
        version == .http1_1
            && headers[canonicalForm: "Upgrade"].contains { $0.lowercased() == "websocket" }
            && headers[canonicalForm: "Connection"].contains { $0.lowercased() == "upgrade" }
    }

    /// RFC 6455 §4.2.1: version 13 and one key of 16 bytes.
    fileprivate func checkWebSocketFields() throws(APIFailure) {
        guard headers["Sec-WebSocket-Version"] == ["13"] else {
            throw .upgradeRequired("WebSocket version 13 is needed.")
        }
        let keys = headers["Sec-WebSocket-Key"]
        guard keys.count == 1, keys[0].utf8.count == 24, keys[0].hasSuffix("==") else {
            throw .invalid("Sec-WebSocket-Key", "must be 16 bytes in Base64")
        }
    }
}
