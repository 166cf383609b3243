package import BookstrackContract
package import JSONRPC

/// Asks progress-host whether a socket, an event stream or a long poll may be opened, and registers it before the HTTP response begins. Sent by
/// api-proxy.
///
/// Frames may be delivered before the response to this call; the proxy keeps them until the socket or stream is open. Application errors:
/// `UNAUTHORIZED`, `TOKEN_EXPIRED`, `NOT_FOUND`, `SERVICE_UNAVAILABLE`.
package enum OpenSocket: RPCMethod {
    package static let name = "sockets.open"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// The identifier assigned by the proxy.
        package var socket: SocketID
        /// The client's request.
        package var request: SocketRequest

        package init(socket: SocketID, request: SocketRequest) {
            self.socket = socket
            self.request = request
        }
    }

    package struct Result: Codable, Sendable {
        /// Number of the verified token, which the proxy sends again when it resumes the socket; nil for a connection without a token.
        package var tokenNumber: Int64?
        /// With ``SocketRequest/isOneWay`` and `since`, the `seq` after which events actually follow: the requested one or, if some events after it
        /// are no longer kept, the `seq` of the job's newest event. The events that end a job are not counted, so they always follow.
        package var replaysAfter: Int?
        /// Whether nothing follows, because the job has ended, its client already has the newest event, and the client does not follow results that
        /// may still change. Nothing is registered then. Set only with ``SocketRequest/isOneWay`` and `since`, because a job's own WebSocket always
        /// receives the terminal frame.
        package var isOver: Bool?

        package init(tokenNumber: Int64?, replaysAfter: Int? = nil, isOver: Bool? = nil) {
            self.tokenNumber = tokenNumber
            self.replaysAfter = replaysAfter
            self.isOver = isOver
        }
    }
}

/// What a client requested when it connected (websocket.md "Upgrade").
package struct SocketRequest: Codable, Sendable {
    /// Identifier of the job to follow.
    package var jobId: JobID
    /// The token; nil for a connection without one. With ``isOneWay``, it may be missing only if the job's identifier suffices (``JobAccess``) or the
    /// client is an operator.
    package var token: String?
    /// Whether the URL contains `reconnect=true`.
    package var reconnect: Bool
    /// The value of `since=SEQ` or, on an event stream, of `Last-Event-ID`, which takes precedence.
    package var since: Int?
    /// Whether the URL contains `protocol=1`.
    package var v1: Bool
    /// Whether the client sends no messages for this job: on an event stream, in a long poll, and for a job on `/ws/jobs` (streams.md). Such a client
    /// need not send `ready`, is not pinged, and is given no time to close the connection itself.
    package var isOneWay: Bool?
    /// Whether the client follows the results: the connection then stays open after the terminal frame of a completed or failed job (websocket.md
    /// "Following the results"). Ignored in the v1 dialect.
    package var followsResults: Bool?
    /// Whether this is an operator's event stream, which api-proxy itself has authorized and which needs no token. A progress-host of the previous
    /// version treats it as a stream without a token.
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

/// Identifies a live WebSocket, an event stream, a long poll or a job on `/ws/jobs`. api-proxy assigns the number, which is unique within an RPC
/// connection.
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

/// Reattaches live sockets after progress-host has restarted or the connection to it has been reestablished (Services/README.md rule 5). Sent by
/// api-proxy, in pages of at most 2 000.
///
/// The host continues after `lastSeq` with the stored events, so clients notice the interruption only if events were lost. It sends `CloseSockets`
/// for a socket that cannot be resumed.
package enum ResumeSockets: RPCMethod {
    package typealias Result = Nothing
    package static let name = "sockets.resume"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(10)

    /// A socket that has outlived the connection to progress-host.
    package struct LiveSocket: Codable, Sendable {
        /// The identifier assigned by the proxy.
        package var socket: SocketID
        /// Identifier of the job that the socket follows.
        package var jobId: JobID
        /// The token's number, as returned by ``OpenSocket``.
        package var tokenNumber: Int64?
        /// Highest `seq` of a job event that was passed to the socket, or the `seq` at which its stream began.
        package var lastSeq: Int
        /// Whether the socket's stream has begun, that is, whether any job event, `reconnected` or `ready_ack` was passed to it.
        package var begun: Bool
        /// Whether the client speaks the v1 dialect.
        package var v1: Bool
        /// Whether the client requested a reconnection; used only while `lastSeq` is 0.
        package var reconnect: Bool
        /// As in ``SocketRequest``; used only while `lastSeq` is 0.
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
        /// The sockets on this page.
        package var sockets: [LiveSocket]

        package init(sockets: [LiveSocket]) { self.sockets = sockets }
    }
}
