package import BookstrackContract
package import JSONRPC

/// Asks progress-host whether a socket or an event stream may be opened, before its answer begins, and registers it. From api-proxy.
///
/// Frames may be delivered before the answer to this call; the proxy keeps them until the socket or the stream is open.
/// Application errors: `UNAUTHORIZED`, `TOKEN_EXPIRED`, `NOT_FOUND`, `TOO_MANY_CONNECTIONS`, `SERVICE_UNAVAILABLE`.
package enum OpenSocket: RPCMethod {
    package static let name = "sockets.open"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// The identifier that the proxy gives it.
        package var socket: SocketID
        /// What the client asked for.
        package var request: SocketRequest

        package init(socket: SocketID, request: SocketRequest) {
            self.socket = socket
            self.request = request
        }
    }

    package struct Result: Codable, Sendable {
        /// Number of the verified token, which the proxy sends again when it resumes the socket; nil for a tokenless
        /// connection.
        package var tokenNumber: Int64?
        /// With `since`, the `seq` after which events really follow: the given one, or the newest when the events after it are not kept.
        package var replaysAfter: Int?
        /// The job is over and its client names the terminal event: nothing follows, and nothing is registered. Only of event streams, as a
        /// socket always gets the terminal frame.
        package var isOver: Bool?

        package init(tokenNumber: Int64?, replaysAfter: Int? = nil, isOver: Bool? = nil) {
            self.tokenNumber = tokenNumber
            self.replaysAfter = replaysAfter
            self.isOver = isOver
        }
    }
}

/// What a client asked for when it connected (websocket.md "Upgrade").
package struct SocketRequest: Codable, Sendable {
    /// The job to watch.
    package var jobId: JobID
    /// Nil for a tokenless connection. An event stream without a token needs a job whose identifier cannot be guessed.
    package var token: String?
    /// `reconnect=true`.
    package var reconnect: Bool
    /// `since=SEQ`.
    package var since: Int?
    /// `protocol=1`.
    package var v1: Bool
    /// True of an event stream, whose client can send no messages (streams.md): it is not waited for, pinged or asked to close.
    package var isOneWay: Bool?
    /// `follow=results`: it stays open after the terminal frame (websocket.md "Following the results").
    package var followsResults: Bool?
    /// True of an operator's event stream, which api-proxy has authorised itself; no token is needed. A host of the version before
    /// treats it as a stream without a token.
    package var isOperator: Bool?

    package init(
        jobId: JobID, token: String?, reconnect: Bool, since: Int?, v1: Bool, isOneWay: Bool? = nil,
        followsResults: Bool? = nil
    ) {
        self.jobId = jobId
        self.token = token
        self.reconnect = reconnect
        self.since = since
        self.v1 = v1
        self.isOneWay = isOneWay
        self.followsResults = followsResults
    }
}

/// A live WebSocket or event stream, numbered by the api-proxy process that holds it. Unique per RPC connection.
package struct SocketID: Hashable, Sendable, Codable {
    package var number: UInt64

    package init(_ number: UInt64) { self.number = number }

    package init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(UInt64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

/// Re-attaches live sockets after progress-host or the connection to it was restarted (Services/README.md rule 5). From api-proxy,
/// in pages of at most 2 000.
///
/// The host continues after `lastSeq` with the stored events, so that clients notice nothing. A socket that cannot be resumed
/// gets a `CloseSockets`.
package enum ResumeSockets: RPCMethod {
    package typealias Result = Nothing
    package static let name = "sockets.resume"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(10)

    /// A socket that outlived the connection to progress-host.
    package struct LiveSocket: Codable, Sendable {
        /// The identifier that the proxy gave it.
        package var socket: SocketID
        /// The job that it watches.
        package var jobId: JobID
        /// As answered by ``OpenSocket``.
        package var tokenNumber: Int64?
        /// Highest `seq` of a job event that was handed to the socket.
        package var lastSeq: Int
        /// Whether the socket's stream has begun, that is, whether any job event or `reconnected` was handed to it.
        package var begun: Bool
        /// Whether it speaks the v1 dialect.
        package var v1: Bool
        /// What the client asked for when it connected, as long as its stream has not begun.
        package var reconnect: Bool
        /// `since=SEQ`, under the same condition.
        package var since: Int?
        /// As in ``SocketRequest``.
        package var isOneWay: Bool?
        /// As in ``SocketRequest``.
        package var followsResults: Bool?

        package init(
            socket: SocketID, jobId: JobID, tokenNumber: Int64?, lastSeq: Int, begun: Bool, v1: Bool,
            reconnect: Bool, since: Int?, isOneWay: Bool? = nil, followsResults: Bool? = nil
        ) {
            self.socket = socket
            self.jobId = jobId
            self.tokenNumber = tokenNumber
            self.lastSeq = lastSeq
            self.begun = begun
            self.v1 = v1
            self.reconnect = reconnect
            self.since = since
            self.isOneWay = isOneWay
            self.followsResults = followsResults
        }
    }

    package struct Parameters: Codable, Sendable {
        /// The page.
        package var sockets: [LiveSocket]

        package init(sockets: [LiveSocket]) { self.sockets = sockets }
    }
}
