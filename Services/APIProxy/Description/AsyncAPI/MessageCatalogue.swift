import BookstrackContract

/// What is said on a progress socket (spec/03).
enum MessageCatalogue {
    static let server: [DescribedMessage] = [
        .server(.jobStarted, .jobStarted, "Work has begun."),
        .server(.jobProgress, .jobProgress, "How far the job is; also the last frame of a cancelled job."),
        .server(.jobComplete, .jobComplete, "The job is done; the results are read over HTTP."),
        .server(.error, .jobError, "The whole job failed."),
        .server(.readyAck, .readyAck, "Answers ready."),
        .server(.reconnected, .reconnected, "The true state, for a client that came back."),
        .server(.ping, .ping, "Asks for a sign of life."),
        .server(.pong, .pong, "Answers the client's ping."),
        DescribedMessage(
            name: "v1_frame", summary: "A frame of the dialect of version 1 (protocol=1).", payload: .named(.v1Frame)),
    ]

    static let client: [DescribedMessage] = [
        .client("ready", "The client is listening; frames wait for it up to five seconds."),
        .client("ping", "Asks for a pong.", payload: [.optional("clientTime", .integer, "Comes back in the pong.")]),
        .client("pong", "Answers the server's ping."),
        .client("sync_request", "Asks for the current state."),
        .client("cancel", "Cancels the job."),
        .client("cancel_batch", "The same as cancel."),
        DescribedMessage(
            name: "client_getJobStatus", summary: "Version 1's way to ask for the current state.",
            payload: .object([.required("action", .choice(["getJobStatus"]))])),
    ]
}
