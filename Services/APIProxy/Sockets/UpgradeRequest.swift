import BookstrackContract
import HTTPTypes
import Hummingbird
import NIOHTTP1
import SuiteMethods

/// A parsed request for `/ws/progress` (websocket.md "Upgrade").
struct UpgradeRequest: Equatable {
    static let path = "/ws/progress"
    private static let tokenProtocolPrefix = "bookstrack-auth."

    var jobId: JobID
    var token: String?
    var reconnect: Bool
    var since: Int?
    var v1: Bool
    /// Whether the query contains `follow=results`.
    var followsResults: Bool
    /// The offered subprotocol that carries a token, echoed unchanged; nil if there is none.
    var subprotocol: String?

    /// The request to progress-host.
    var socketRequest: SocketRequest {
        SocketRequest(
            jobId: jobId, token: token, reconnect: reconnect, since: since, v1: v1,
            followsResults: followsResults ? true : nil)
    }

    /// Reads the query and the headers. Throws 400 if `jobId` is unusable or missing, or if `since` or `follow` is malformed.
    init(uri: String, headers: HTTPHeaders) throws(APIFailure) {
        let query = QueryItems(uri: uri)
        guard let text = query["jobId"], !text.isEmpty else { throw .invalid("jobId", "is missing") }
        guard let jobId = JobID(text) else { throw .invalid("jobId", JobID.rule()) }
        self.jobId = jobId
        reconnect = query["reconnect"] == "true" || query["reconnect"] == "1"
        v1 = query["protocol"] == "1"
        followsResults = try query.followsResults()
        if let text = query["since"] {
            guard let number = Int(text), number >= 0 else {
                throw .invalid("since", "must be a whole number of 0 or more")
            }
            since = number
        }
        subprotocol = headers[canonicalForm: "Sec-WebSocket-Protocol"]
            .first { $0.hasPrefix(Self.tokenProtocolPrefix) }.map(String.init)
        token =
            query["token"] ?? BearerToken.read(headers["Authorization"].first)
            ?? subprotocol.map { String($0.dropFirst(Self.tokenProtocolPrefix.count)) }
    }
}

/// The jobs that a WebSocket is to watch.
enum UpgradeTarget: Equatable {
    /// One job.
    case job(UpgradeRequest)
    /// The jobs that the client's messages will specify.
    case jobs

    /// The offered subprotocol that is echoed; nil if there is none.
    var subprotocol: String? { if case .job(let request) = self { request.subprotocol } else { nil } }
}

/// How a request head is handled.
enum UpgradeDecision: Equatable {
    /// Plain HTTP.
    case http
    /// A WebSocket that is admitted or refused once earlier responses are written.
    case ask(UpgradeTarget)
    /// A WebSocket whose request is not valid.
    case refuse(APIFailure)

    init(_ head: HTTPRequestHead) {
        guard head.method == .GET, let path = head.socketPath, head.asksForWebSocket else {
            self = .http
            return
        }
        do throws(APIFailure) {
            let target: UpgradeTarget =
                path == JobsSocket.path ? .jobs : .job(try UpgradeRequest(uri: head.uri, headers: head.headers))
            try head.checkWebSocketFields()
            self = .ask(target)
        } catch {
            self = .refuse(error)
        }
    }
}

extension APIFailure {
    /// The 426 for a WebSocket path without a usable upgrade (RFC 9110 §15.5.22).
    static func upgradeRequired(_ message: String) -> APIFailure {
        var failure = APIFailure(.upgradeRequired, message)
        failure.fields = [.upgrade: "websocket", .connection: "Upgrade", .secWebSocketVersion: "13"]
        return failure
    }
}

/// Whether NIO's decoder treats a request as an upgrade and stops after it.
enum UpgradeOffer {
    case none
    case endsDecoding
    /// The decoder may interpret the fields either way.
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

    /// Whether this is an upgrade request; the fields may be repeated (websocket.md "Upgrade").
    var asksForWebSocket: Bool {
        version == .http1_1
            && headers[canonicalForm: "Upgrade"].contains { $0.lowercased() == "websocket" }
            && headers[canonicalForm: "Connection"].contains { $0.lowercased() == "upgrade" }
    }

    /// The path of a WebSocket that the target specifies, in any form that routes accept; nil if it specifies another path.
    fileprivate var socketPath: String? {
        let sent = targetPath
        // Nearly every client sends the path in this form.
        if let known = Self.socketPaths.first(where: { $0 == sent }) { return known }
        // The paths of all other routes begin with another letter, so most requests end here.
        let slash = UInt8(ascii: "/")
        guard sent.utf8.first != slash || sent.utf8.first(where: { $0 != slash }) == UInt8(ascii: "w") else {
            return nil
        }
        let normalized = RouteTable.normalized(path)
        return Self.socketPaths.first { $0 == normalized }
    }

    private static let socketPaths = [UpgradeRequest.path, JobsSocket.path]

    /// Throws unless the fields specify version 13 and a single key of 16 bytes (RFC 6455 §4.2.1).
    fileprivate func checkWebSocketFields() throws(APIFailure) {
        guard headers["Sec-WebSocket-Version"] == ["13"] else {
            throw .upgradeRequired("WebSocket version 13 is required.")
        }
        let keys = headers["Sec-WebSocket-Key"]
        guard keys.count == 1, keys[0].utf8.count == 24, keys[0].hasSuffix("==") else {
            throw .invalid("Sec-WebSocket-Key", "must be 16 bytes in Base64")
        }
    }
}

/// Refuses plain HTTP requests for the paths of WebSockets. `HTTPConnection` handles upgrade requests.
struct SocketRoute: Sendable {
    var routes: [Route] {
        [
            Route(.get, UpgradeRequest.path, limit: .exempt) { request, _ in
                _ = try UpgradeRequest(uri: request.uri.string, headers: HTTPHeaders())
                throw Self.upgradeRequired
            },
            Route(.get, JobsSocket.path, limit: .exempt) { _, _ in throw Self.upgradeRequired },
        ]
    }

    private static let upgradeRequired = APIFailure.upgradeRequired("Open this path as a WebSocket.")
}
