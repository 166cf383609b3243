import BookstrackContract
import NIOHTTP1

/// What becomes of a connection's first request head.
enum UpgradeDecision: Equatable {
    /// Plain HTTP: the router answers.
    case http
    /// A WebSocket that progress-host decides about.
    case ask(UpgradeRequest)
    /// A WebSocket that is refused at once.
    case refuse(APIFailure)

    init(_ head: HTTPRequestHead, origins: OriginList) {
        let path = head.uri.prefix { $0 != "?" && $0 != "#" }
        guard path == UpgradeRequest.path, head.method == .GET, head.asksForWebSocket else {
            self = .http
            return
        }
        do throws(APIFailure) {
            let request = try UpgradeRequest(uri: head.uri, headers: head.headers)
            try head.checkWebSocketFields()
            if let origin = head.headers["Origin"].first, !origins.allows(origin) {
                throw APIFailure(.forbidden, "This origin may not open connections.")
            }
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
            .init(name: "Upgrade", value: "websocket"), .init(name: "Connection", value: "Upgrade, close"),
            .init(name: "Sec-WebSocket-Version", value: "13"),
        ]
        return failure
    }
}

extension HTTPRequestHead {
    /// Whether this is an upgrade request, however often the fields are repeated (spec/03 "Upgrade").
    var asksForWebSocket: Bool {
        version == .http1_1
            && headers[canonicalForm: "Upgrade"].contains { $0.lowercased() == "websocket" }
            && headers[canonicalForm: "Connection"].contains { $0.lowercased() == "upgrade" }
    }

    /// The head with each upgrade field once, as NIO's upgrade handler reads it.
    var normalisedForUpgrade: HTTPRequestHead {
        var head = self
        head.headers.replaceOrAdd(name: "Upgrade", value: "websocket")
        head.headers.replaceOrAdd(name: "Connection", value: "Upgrade")
        return head
    }

    /// The head of a request that is not upgraded.
    var withoutUpgrade: HTTPRequestHead {
        guard headers.contains(name: "Upgrade") else { return self }
        var head = self
        head.headers.remove(name: "Upgrade")
        return head
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
