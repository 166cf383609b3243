import BookstrackContract
import NIOCore
import Observability
import SuiteMethods

/// Metrics of WebSockets and polls, and of the frames of event streams.
///
/// A class, because every frame is counted, and a copy would retain each metric.
final class SocketMetrics: Sendable {
    /// Outcome of a frame that progress-host delivered.
    enum FrameOutcome: String, MetricLabel {
        case sent
        /// It was replaced by a newer progress frame while it waited.
        case coalesced
        /// It was not sent, because the client read too slowly or the connection ended.
        case dropped

        static let labelName = "outcome"
    }

    private let opened: Counter
    private let refused: Labeled<APIErrorCode, Counter>
    private let frames: Labeled<LabelPair<SocketDelivery.Kind, FrameOutcome>, Counter>
    private let closes: Labeled<LabelPair<CloseLabel, Closer>, Counter>
    private let messages: Counter
    private let messagesPerSocket: Histogram
    private let lifetimes: Histogram
    private let pingTimes: Histogram
    /// Number of frames that wait because a client reads slowly or a socket is being opened, across all sockets and event streams.
    let waiting: Gauge
    /// Number of requests waiting for a job's next event or its end.
    let polls: Gauge
    let streams: EventStreamMetrics

    init(_ registry: MetricRegistry) {
        opened = registry.counter("bookstrack_sockets_opened_total", help: "Completed WebSocket upgrades.")
        refused = registry.counters(
            "bookstrack_socket_refusals_total", help: "Refused WebSocket upgrades, by error code.",
            by: APIErrorCode.self)
        frames = registry.counters(
            "bookstrack_socket_frames_total", help: "Frames for sockets and event streams, by kind and outcome.",
            by: LabelPair<SocketDelivery.Kind, FrameOutcome>.self)
        frames.showAll()
        closes = registry.counters(
            "bookstrack_socket_closes_total",
            help: "Closed sockets, by close code and closing side; 1006 means no close frame.",
            by: LabelPair<CloseLabel, Closer>.self)
        messages = registry.counter("bookstrack_socket_messages_total", help: "Messages sent by clients.")
        messagesPerSocket = registry.histogram(
            "bookstrack_socket_messages",
            help: "Messages sent by a socket's client, observed when the socket closes.",
            .counts(0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000))
        lifetimes = registry.histogram(
            "bookstrack_socket_duration_seconds", help: "Time from a socket's upgrade to its end.", .lifetimes)
        pingTimes = registry.histogram(
            "bookstrack_socket_ping_duration_seconds", help: "Time from a PING frame to the client's PONG frame.",
            .answers)
        waiting = registry.gauge(
            "bookstrack_socket_frames_waiting", help: "Frames waiting for slow clients or for sockets being opened.")
        polls = registry.gauge(
            "bookstrack_polls_waiting", help: "Requests waiting for a job's next event or its end.")
        streams = EventStreamMetrics(registry)
    }

    func socketOpened() { opened.add() }

    func upgradeRefused(_ code: APIErrorCode) { refused[code].add() }

    func messageReceived() { messages.add() }

    /// Records that a client has answered a PING frame.
    func ponged(after time: TimeAmount) { pingTimes.observe(Duration(time)) }

    /// Records the end of a socket, with its lifetime and the number of messages from its client.
    func ended(after time: TimeAmount, messages count: Int) {
        lifetimes.observe(Duration(time))
        messagesPerSocket.observe(count: count)
    }

    func frame(_ kind: SocketDelivery.Kind, _ outcome: FrameOutcome) { frames[LabelPair(kind, outcome)].add() }

    /// Counts a close frame that this process sent.
    func closed(_ code: CloseCode) { closes[LabelPair(CloseLabel(code: code.rawValue), .server)].add() }

    /// Counts a close frame that the client sent first.
    func peerClosed(_ payload: ByteBuffer) {
        let code = payload.getInteger(at: payload.readerIndex, as: UInt16.self)
        closes[LabelPair(code.map(CloseLabel.init) ?? .missing, .client)].add()
    }

    /// Counts a connection that ended without a close frame.
    func connectionLost() { closes[LabelPair(.lost, .none)].add() }
}

/// Metrics of event streams, except their frames, which ``SocketMetrics`` counts.
struct EventStreamMetrics: Sendable {
    private let opened: Counter
    private let refused: Labeled<APIErrorCode, Counter>
    private let ends: Labeled<CloseLabel, Counter>
    private let lifetimes: Histogram
    private let open: Gauge

    init(_ registry: MetricRegistry) {
        opened = registry.counter("bookstrack_event_streams_opened_total", help: "Event streams that were started.")
        refused = registry.counters(
            "bookstrack_event_stream_refusals_total", help: "Refused event streams, by error code.",
            by: APIErrorCode.self)
        ends = registry.counters(
            "bookstrack_event_stream_ends_total",
            help:
                "Ended event streams, by the close code that a WebSocket would receive; 1006 means that the client left.",
            by: CloseLabel.self)
        lifetimes = registry.histogram(
            "bookstrack_event_stream_duration_seconds", help: "Time from an event stream's head to its end.",
            .lifetimes)
        open = registry.gauge("bookstrack_event_streams_open", help: "Event streams that are open.")
    }

    func streamRefused(_ code: APIErrorCode) { refused[code].add() }

    func streamOpened() {
        opened.add()
        open.add()
    }

    /// Records the end of a stream and its duration; `code` is nil if its client left.
    func streamEnded(_ code: CloseCode?, after time: TimeAmount) {
        open.subtract()
        ends[code.map { CloseLabel(code: $0.rawValue) } ?? .lost].add()
        lifetimes.observe(Duration(time))
    }
}

extension HistogramBounds {
    /// Bounds for the lifetimes of sockets and event streams: 100 ms to a day, which is a job's deadline.
    fileprivate static let lifetimes = durations(
        .milliseconds(100), .milliseconds(500), .seconds(1), .seconds(5), .seconds(10), .seconds(30), .seconds(60),
        .seconds(300), .seconds(900), .seconds(3_600), .seconds(21_600), .seconds(86_400))
}

extension APIErrorCode: MetricLabel {
    static var labelName: String { "reason" }
}

/// A close code that is counted separately (RFC 6455 §7.4.1 and its registry). All others count as `other`, since a client may send any code.
enum CloseLabel: String, MetricLabel {
    case normal = "1000"
    case goingAway = "1001"
    case protocolError = "1002"
    case unsupported = "1003"
    /// A close frame without a code.
    case missing = "1005"
    /// The connection ended without a close frame.
    case lost = "1006"
    case invalidPayload = "1007"
    case policyViolation = "1008"
    case messageTooBig = "1009"
    case missingExtension = "1010"
    case internalError = "1011"
    case serviceRestart = "1012"
    case tryAgainLater = "1013"
    case other

    static let labelName = "code"

    init(code: UInt16) { self = Self(rawValue: "\(code)") ?? .other }
}

/// The side that closed a socket.
enum Closer: String, MetricLabel {
    case server, client
    /// The connection was lost.
    case none

    static let labelName = "by"
}
