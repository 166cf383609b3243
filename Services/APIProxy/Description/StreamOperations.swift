import BookstrackContract
import HTTPTypes

/// The HTTP requests that open WebSockets.
enum SocketOperations {
    static let followMeaning =
        "Stay open for up to an hour after the end of the job, to receive `results_updated` frames."

    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: [UpgradeRequest.path], id: "watchJob", group: .progress,
            summary: "Watch a job over a WebSocket",
            notes:
                "The token may also be sent in `Authorization`, or as `bookstrack-auth.<token>` in `Sec-WebSocket-Protocol`.",
            parameters: [
                .query("jobId", .jobId, "The job's identifier.", isRequired: true),
                .query("token", "The job's token."),
                .query("reconnect", .choice(["true", "false"]), "Whether the client was connected before."),
                .query("since", .count, "Number of the last event that the client has received."),
                .query("follow", .choice(["results"]), followMeaning),
                .query("protocol", .choice(["1"]), "Use the flat frames of the v1 dialect."),
            ],
            answers: [OperationAnswer(status: 101, meaning: "The connection is now a WebSocket.")],
            failures: [
                .unauthorized, .tokenExpired, .forbidden, .upgradeRequired, .tooManyConnections, .serviceUnavailable,
            ], isLimited: false),
        APIOperation(
            method: .get, paths: [JobsSocket.path], id: "watchJobs", group: .progress,
            summary: "Watch several jobs over one WebSocket",
            notes:
                "The client sends `{\"type\":\"watch\",\"jobs\":[{\"jobId\",\"token\",\"since\"}]}` within five seconds, and further `watch` and "
                + "`unwatch` messages at any later time. `/asyncapi.json` describes the messages.",
            answers: [OperationAnswer(status: 101, meaning: "The connection is now a WebSocket.")],
            failures: [.forbidden, .upgradeRequired, .tooManyConnections, .serviceUnavailable], isLimited: false),
    ]
}

/// Streams of server-sent events.
enum EventStreamOperations {
    private static let parameters: [Parameter] = [
        .jobId, .query("token", "The job's token, unless it is in `Authorization`."),
        .query("since", .count, "Number of the last event that the client has received."),
    ]
    private static let follow = Parameter.query("follow", .choice(["results"]), SocketOperations.followMeaning)

    private static func answers(_ position: AnswerField) -> [OperationAnswer] {
        [
            OperationAnswer(
                status: 200, meaning: "The events.", schema: .text, types: ["text/event-stream"], fields: [position]),
            OperationAnswer(status: 204, meaning: "Each job has ended, and the client has received its last event."),
        ]
    }

    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: [EventStreamRoutes.path], id: "streamJob", group: .progress,
            summary: "Watch a job through server-sent events",
            notes:
                "The WebSocket frames: `id` is the frame's `seq`, `event` is its type (`job_error` for `error`), and `data` is the frame. "
                + "The header field `Last-Event-ID` takes precedence over `since`. Without either, the stream starts with the current state. A comment "
                + "is sent every 15 s. The stream ends after the terminal event; a request that sends its number returns 204, after which "
                + "`EventSource` does not reconnect.",
            parameters: parameters + [follow], answers: answers(.lastEventID),
            failures: [.unauthorized, .tokenExpired, .forbidden, .tooManyConnections, .serviceUnavailable],
            needsToken: true),
        APIOperation(
            method: .get, paths: [EventStreamRoutes.combinedPath], id: "streamJobs", group: .progress,
            summary: "Watch several jobs through server-sent events",
            notes:
                "The frames of all jobs on one stream; `id` is `ID=SEQ,ID=SEQ`, the number of each job's last event. The event "
                + "`watch_refused` reports a job that may not be watched, and `unwatched` one that has ended or whose token was revoked. The "
                + "stream ends after the last `unwatched`. A request that sends the number of every job's last event returns 204.",
            parameters: [
                .query(
                    "job", .list(of: .text, atMost: JobSelection.queryLimit), "`ID:TOKEN`, 1 to 20 times.",
                    isRequired: true),
                .query(
                    "since", "`ID=SEQ,ID=SEQ`: the number of the last event that the client has received for each job."),
            ], answers: answers(.lastEventIDOfJobs),
            failures: [.unauthorized, .tokenExpired, .notFound, .forbidden, .tooManyConnections, .serviceUnavailable]),
        APIOperation(
            method: .post, paths: [EventStreamRoutes.combinedPath], id: "streamListedJobs", group: .progress,
            summary: "Watch up to 100 jobs through server-sent events",
            notes: "The same stream for jobs listed in the body, which keeps tokens out of URLs.",
            body: RequestBody(schema: .jobSelection), answers: answers(.lastEventIDOfJobs),
            failures: [.unauthorized, .tokenExpired, .notFound, .forbidden, .tooManyConnections, .serviceUnavailable]),
        APIOperation(
            method: .get, paths: [EventStreamRoutes.appPath], id: "streamJobForApps", group: .progress,
            summary: "Watch a job through server-sent events, in the format that shipped apps read",
            notes:
                "Works for all kinds of jobs. The token may be omitted if the `jobId` is a version 4 UUID; if a token is sent, it must be valid. "
                + "After five minutes without an event, the stream ends with the event `timeout`.",
            parameters: parameters, answers: answers(.lastEventID),
            failures: [.unauthorized, .tokenExpired, .notFound, .forbidden, .tooManyConnections, .serviceUnavailable]),
    ]
}
