import BookstrackContract

/// The messages of a progress socket (websocket.md).
enum MessageCatalog {
    static let v1FrameName = "v1_frame"

    static let server: [DescribedMessage] = [
        .server(.jobStarted, .jobStarted, "The job has started."),
        .server(
            .jobProgress, .jobProgress,
            "The job's progress; also the last frame of a cancelled job, except for a batch of photos."),
        .server(.jobComplete, .jobComplete, "The job has completed; read the results over HTTP."),
        .server(.error, .jobError, "The job failed, or the connection can no longer follow it."),
        .server(.batchInit, .batchInit, "A batch of photos has started."),
        .server(.batchProgress, .batchProgress, "The state of a photo in a batch has changed."),
        .server(.batchComplete, .batchComplete, "Every photo in a batch has been processed, and every book looked up."),
        .server(.batchCanceling, .batchCanceling, "The last frame of a cancelled batch of photos."),
        .server(
            .resultsUpdated, .resultsUpdated,
            "The results of an ended job have improved; sent with `follow=results`."),
        .server(.readyAck, .readyAck, "Acknowledges `ready`."),
        .server(
            .reconnected, .reconnected,
            "The current state, for a client that has reconnected or has sent `sync_request`."),
        .server(.ping, .ping, "Requests a `pong`."),
        .server(.pong, .pong, "Replies to the client's `ping`."),
        DescribedMessage(
            name: v1FrameName, summary: "A frame of the v1 dialect (`protocol=1`).", payload: .named(.v1Frame)),
    ]

    static let client: [DescribedMessage] = [
        .client("ready", "The client is ready; by default, frames wait up to five seconds for this message."),
        .client("ping", "Requests a `pong`.", payload: [.optional("clientTime", .integer, "Returned in the `pong`.")]),
        .client("pong", "Replies to the server's `ping`."),
        .client("sync_request", "Requests the current state."),
        DescribedMessage(
            name: "client_ack", summary: "Acknowledges every event up to `seq`.",
            payload: .object([.required("type", .choice(["ack"])), .required("seq", .count)])),
        .client("cancel", "Cancels the job."),
        .client("cancel_batch", "Same as `cancel`."),
        DescribedMessage(
            name: "client_getJobStatus", summary: "Requests the current state, in the v1 dialect.",
            payload: .object([.required("action", .choice(["getJobStatus"]))])),
    ]
}

/// The messages that exist only on a socket for several jobs (streams.md "Many jobs on one WebSocket").
enum JobsMessageCatalog {
    static let server: [DescribedMessage] = [
        notice(.watched, "The job is watched; its frames follow.", []),
        notice(
            .refused, "The job may not be watched, or the list is invalid.",
            [.required("code", .choice(of: APIErrorCode.self)), .optional("message", .text)], needsJob: false),
        notice(
            .unwatched, "No more frames of the job follow.",
            [
                .optional(
                    "code", .choice(of: APIErrorCode.self),
                    "Reason; absent if the job has ended or the client unwatched it.")
            ]),
        ofConnection(.ping, .ping, "Requests a `pong`."),
        ofConnection(.pong, .pong, "Replies to the client's `ping`."),
    ]

    static let client: [DescribedMessage] = [
        DescribedMessage(
            name: "client_watch", summary: "Starts watching jobs.",
            payload: .object([.required("type", .choice(["watch"])), .required("jobs", JobSchemas.selectedJobs)])),
        DescribedMessage(
            name: "client_unwatch", summary: "Stops watching jobs.",
            payload: .object([.required("type", .choice(["unwatch"])), .required("jobs", JobSchemas.selectedJobs)])),
        DescribedMessage(
            name: "client_concerning", summary: "A message about one of the watched jobs.",
            payload: .object([
                .required("type", .choice(["sync_request", "cancel", "cancel_batch"])), .required("jobId", .jobId),
            ])),
    ]

    private static func notice(
        _ type: WatchNotice.Kind, _ summary: String, _ members: [Property], needsJob: Bool = true
    ) -> DescribedMessage {
        let job = needsJob ? Property.required("jobId", .jobId) : .optional("jobId", .jobId)
        return DescribedMessage(
            name: type.rawValue, summary: summary,
            payload: .object([.required("type", .choice([type.rawValue])), job] + members))
    }

    private static func ofConnection(
        _ type: FrameType, _ payload: SchemaName, _ summary: String
    ) -> DescribedMessage {
        DescribedMessage(
            name: "connection_\(type.rawValue)", summary: summary,
            payload: .object([
                .required("type", .choice([type.rawValue])), .required("timestamp", .timestamp),
                .required("version", .choice(["1.0.0"])), .required("payload", .named(payload)),
            ]))
    }
}

/// One message of a WebSocket, for `/asyncapi.json`. A test compares it with the types that are encoded and decoded.
struct DescribedMessage: Sendable {
    /// The message's name in the document.
    var name: String
    var summary: String
    var payload: Schema

    /// A server frame: the envelope of websocket.md "Frames" around a payload.
    static func server(_ type: FrameType, _ payload: SchemaName, _ summary: String) -> DescribedMessage {
        DescribedMessage(
            name: type.rawValue, summary: summary,
            payload: .object([
                .required("type", .choice([type.rawValue])), .required("jobId", .jobId),
                .required("pipeline", .choice(of: Pipeline.self)),
                .required("timestamp", .timestamp, "Milliseconds since 1970."),
                .required("version", .choice(["1.0.0"])),
                .required(
                    "seq", .count,
                    "Number of this event or, if the frame is not an event, of the job's last event that was sent on the connection or is "
                        + "covered by a `reconnected` frame; before that, 0 or the number given as `since`."),
                .required("payload", .named(payload)),
            ]))
    }

    /// A client message; `members` are those of its payload.
    static func client(_ type: String, _ summary: String, payload members: [Property] = []) -> DescribedMessage {
        DescribedMessage(
            name: "client_\(type)", summary: summary,
            payload: .object([
                .required("type", .choice([type])), .optional("payload", .object(members)),
            ]))
    }
}

extension DescribedMessage: Encodable {
    private enum Key: String, CodingKey { case name, summary, contentType, payload }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(summary, forKey: .summary)
        try container.encode("application/json", forKey: .contentType)
        try container.encode(payload, forKey: .payload)
    }
}
