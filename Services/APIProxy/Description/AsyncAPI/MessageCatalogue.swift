import BookstrackContract

/// The messages of a progress socket (websocket.md).
enum MessageCatalogue {
    static let server: [DescribedMessage] = [
        .server(.jobStarted, .jobStarted, "The job has started."),
        .server(.jobProgress, .jobProgress, "Progress of the job; also the last frame of a cancelled job."),
        .server(.jobComplete, .jobComplete, "The job has completed; read the results over HTTP."),
        .server(.error, .jobError, "The job failed."),
        .server(.readyAck, .readyAck, "Acknowledges `ready`."),
        .server(.reconnected, .reconnected, "The current state, for a client that reconnected."),
        .server(.ping, .ping, "Asks for a `pong`."),
        .server(.pong, .pong, "Answers the client's `ping`."),
        DescribedMessage(
            name: "v1_frame", summary: "A frame of version 1 (`protocol=1`).", payload: .named(.v1Frame)),
    ]

    static let client: [DescribedMessage] = [
        .client("ready", "The client is ready; frames wait for this for up to five seconds."),
        .client("ping", "Asks for a `pong`.", payload: [.optional("clientTime", .integer, "Returned in the `pong`.")]),
        .client("pong", "Answers the server's `ping`."),
        .client("sync_request", "Asks for the current state."),
        .client("cancel", "Cancels the job."),
        .client("cancel_batch", "Same as `cancel`."),
        DescribedMessage(
            name: "client_getJobStatus", summary: "Asks for the current state, in version 1.",
            payload: .object([.required("action", .choice(["getJobStatus"]))])),
    ]
}
