import BookstrackContract
import NIOHTTP1
import SuiteMethods

/// A request for `/ws/progress`, read (websocket.md "Upgrade").
struct UpgradeRequest: Equatable {
    /// Where sockets are opened.
    static let path = "/ws/progress"
    private static let tokenProtocolPrefix = "bookstrack-auth."

    var jobId: JobID
    var token: String?
    var reconnect: Bool
    var since: Int?
    var v1: Bool
    /// The offered subprotocol that carries the token; echoed exactly.
    var subprotocol: String?

    /// What is sent to progress-host.
    var socketRequest: SocketRequest {
        SocketRequest(jobId: jobId, token: token, reconnect: reconnect, since: since, v1: v1)
    }

    /// Reads the query and the headers. Throws 400 without a usable `jobId` or with a malformed `since`.
    init(uri: String, headers: HTTPHeaders) throws(APIFailure) {
        let query = QueryItems(uri: uri)
        guard let text = query["jobId"], !text.isEmpty else { throw .invalid("jobId", "is missing") }
        guard let jobId = JobID(text) else { throw .invalid("jobId", JobID.rule()) }
        self.jobId = jobId
        reconnect = query["reconnect"] == "true" || query["reconnect"] == "1"
        v1 = query["protocol"] == "1"
        if let text = query["since"] {
            guard let number = Int(text), number >= 0 else { throw .invalid("since", "must be a number of 0 or more") }
            since = number
        }
        subprotocol = headers[canonicalForm: "Sec-WebSocket-Protocol"]
            .first { $0.hasPrefix(Self.tokenProtocolPrefix) }.map(String.init)
        token =
            query["token"] ?? BearerToken.read(headers["Authorization"].first)
            ?? subprotocol.map { String($0.dropFirst(Self.tokenProtocolPrefix.count)) }
    }
}
