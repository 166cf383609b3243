import BookstrackContract
import HTTPTypes

/// The progress socket, as far as HTTP sees it.
enum SocketOperations {
    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: [UpgradeRequest.path], id: "watchJob", group: .progress,
            summary: "Watch a job over a WebSocket",
            notes:
                "The token may also be sent in `Authorization`, or as `bookstrack-auth.<token>` in `Sec-WebSocket-Protocol`.",
            parameters: [
                .query("jobId", .jobId, "The job.", isRequired: true),
                .query("token", "The job's token."),
                .query("reconnect", .choice(["true", "false"]), "Whether the client was connected before."),
                .query("since", .count, "Number of the last event the client has seen."),
                .query("protocol", .choice(["1"]), "Use the frames of version 1."),
            ],
            answers: [Answer(status: 101, meaning: "The connection is now a WebSocket.")],
            failures: [
                .unauthorized, .tokenExpired, .forbidden, .upgradeRequired, .tooManyConnections, .serviceUnavailable,
            ], isLimited: false)
    ]
}
