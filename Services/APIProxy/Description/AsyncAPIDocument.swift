import BookstrackContract
import Foundation

/// The description of the WebSockets (AsyncAPI 3.0), served as `/asyncapi.json`.
struct AsyncAPIDocument {
    /// Query parameters of the upgrade request of a progress socket.
    var parameters: [Parameter]
    var servers: [Server]

    /// Address of the socket, split into the members of an AsyncAPI server object.
    struct Server: Encodable {
        var host: String
        var `protocol`: String
        var pathname: String?

        /// The socket of the API at an HTTP URL; nil if the URL has no host.
        init?(_ address: String) {
            guard let url = URLComponents(string: address), let host = url.host else { return nil }
            self.host = host + (url.port.map { ":\($0)" } ?? "")
            `protocol` = url.scheme == "https" ? "wss" : "ws"
            pathname = url.path.isEmpty || url.path == "/" ? nil : url.path
        }
    }

    /// One of the WebSockets.
    private struct Channel {
        var name: String
        var address: String
        var title: String
        var parameters: [Parameter]
        var messages: [DescribedMessage]
        /// Operations by name.
        var operations: [String: Action]

        init(
            _ name: String, at address: String, _ title: String, _ parameters: [Parameter], sent: [DescribedMessage],
            received: [DescribedMessage]
        ) {
            self.name = name
            self.address = address
            self.title = title
            self.parameters = parameters
            messages = sent + received
            let suffix = name == "progress" ? "" : "Of\(name.capitalized)"
            operations = [
                "sendProgress\(suffix)": Action("send", "Server messages on \(address)", sent, on: name),
                "receiveClient\(suffix)": Action("receive", "Client messages on \(address)", received, on: name),
            ]
        }
    }

    private var channels: [Channel] {
        [
            Channel(
                "progress", at: UpgradeRequest.path, "Progress of one job", parameters, sent: MessageCatalogue.server,
                received: MessageCatalogue.client),
            Channel(
                "jobs", at: JobsSocket.path, "Progress of several jobs", [],
                sent: MessageCatalogue.server.filter { $0.name != MessageCatalogue.v1FrameName }
                    + JobsMessageCatalogue.server, received: JobsMessageCatalogue.client),
        ]
    }

    private struct Info: Encodable {
        var title = "BooksTrack progress sockets"
        var version = "1.0.0"
        var description =
            "Opens at `/ws/progress?jobId=…&token=…` for one job, and at `/ws/jobs` for jobs that the client names. Close codes: 1000 the job ended, 1001 it was cancelled, 1002 malformed "
            + "message, 1007 text that is not UTF-8, 1008 token revoked or too many messages, 1009 message too large, "
            + "1011 the job failed, 1012 the server is restarting, 1013 overload. After any code but 1000 and 1001, reconnect "
            + "with `since=SEQ`. After a completed scan or import the server waits up to 10 s for the client to close."
    }

    private struct Action: Encodable {
        var action: String
        var summary: String
        var channel: Reference
        var messages: [Reference]

        init(_ action: String, _ summary: String, _ messages: [DescribedMessage], on channel: String) {
            self.action = action
            self.summary = summary
            self.channel = Reference(to: "#/channels/\(channel)")
            self.messages = messages.map { Reference(to: "#/channels/\(channel)/messages/\($0.name)") }
        }
    }

    private struct Binding: Encodable {
        var method = "GET"
        var query: Schema
    }
}

extension AsyncAPIDocument: Encodable {
    private enum Key: String, CodingKey {
        case asyncapi, info, servers, defaultContentType, channels, operations, components
    }
    private enum ChannelKey: String, CodingKey { case address, title, messages, bindings }
    private enum ComponentKey: String, CodingKey { case messages, schemas }

    func encode(to encoder: any Encoder) throws {
        let channels = channels
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("3.0.0", forKey: .asyncapi)
        try container.encode(Info(), forKey: .info)
        var places = container.nestedContainer(keyedBy: MemberName.self, forKey: .servers)
        for (number, server) in servers.enumerated() {
            try places.encode(server, forKey: MemberName("server\(number + 1)"))
        }
        try container.encode("application/json", forKey: .defaultContentType)
        var described = container.nestedContainer(keyedBy: MemberName.self, forKey: .channels)
        var operations = container.nestedContainer(keyedBy: MemberName.self, forKey: .operations)
        var messages: [String: DescribedMessage] = [:]
        for channel in channels {
            try encode(channel, described.nestedContainer(keyedBy: ChannelKey.self, forKey: MemberName(channel.name)))
            for (name, action) in channel.operations { try operations.encode(action, forKey: MemberName(name)) }
            for message in channel.messages { messages[message.name] = message }
        }
        var components = container.nestedContainer(keyedBy: ComponentKey.self, forKey: .components)
        var members = components.nestedContainer(keyedBy: MemberName.self, forKey: .messages)
        for message in messages.values { try members.encode(message, forKey: MemberName(message.name)) }
        try SchemaName.encode(
            SchemaName.reached(from: messages.values.map(\.payload)),
            to: components.nestedContainer(keyedBy: MemberName.self, forKey: .schemas))
    }

    private func encode(_ channel: Channel, _ container: KeyedEncodingContainer<ChannelKey>) throws {
        var container = container
        try container.encode(channel.address, forKey: .address)
        try container.encode(channel.title, forKey: .title)
        var references = container.nestedContainer(keyedBy: MemberName.self, forKey: .messages)
        for message in channel.messages {
            try references.encode(
                Reference(to: "#/components/messages/\(message.name)"), forKey: MemberName(message.name))
        }
        let query = channel.parameters.map {
            Property(name: $0.name, schema: $0.schema, meaning: $0.meaning, isRequired: $0.isRequired)
        }
        try container.encode(["ws": Binding(query: .object(query))], forKey: .bindings)
    }
}

/// The messages of a progress socket (websocket.md).
enum MessageCatalogue {
    static let v1FrameName = "v1_frame"

    static let server: [DescribedMessage] = [
        .server(.jobStarted, .jobStarted, "The job has started."),
        .server(.jobProgress, .jobProgress, "Progress of the job; also the last frame of a cancelled job."),
        .server(.jobComplete, .jobComplete, "The job has completed; read the results over HTTP."),
        .server(.error, .jobError, "The job failed."),
        .server(.batchInit, .batchInit, "The photos of a batch are known."),
        .server(.batchProgress, .batchProgress, "The state of a photo of a batch has changed."),
        .server(.batchComplete, .batchComplete, "Every photo of a batch is read and every book looked up."),
        .server(.batchCanceling, .batchCanceling, "The last frame of a cancelled batch."),
        .server(
            .resultsUpdated, .resultsUpdated,
            "Retries after the end of the job have improved results; with `follow=results`."),
        .server(.readyAck, .readyAck, "Acknowledges `ready`."),
        .server(.reconnected, .reconnected, "The current state, for a client that reconnected."),
        .server(.ping, .ping, "Asks for a `pong`."),
        .server(.pong, .pong, "Answers the client's `ping`."),
        DescribedMessage(
            name: v1FrameName, summary: "A frame of version 1 (`protocol=1`).", payload: .named(.v1Frame)),
    ]

    static let client: [DescribedMessage] = [
        .client("ready", "The client is ready; frames wait for this for up to five seconds."),
        .client("ping", "Asks for a `pong`.", payload: [.optional("clientTime", .integer, "Returned in the `pong`.")]),
        .client("pong", "Answers the server's `ping`."),
        .client("sync_request", "Asks for the current state."),
        DescribedMessage(
            name: "client_ack", summary: "The client has every event up to `seq`.",
            payload: .object([.required("type", .choice(["ack"])), .required("seq", .count)])),
        .client("cancel", "Cancels the job."),
        .client("cancel_batch", "Same as `cancel`."),
        DescribedMessage(
            name: "client_getJobStatus", summary: "Asks for the current state, in version 1.",
            payload: .object([.required("action", .choice(["getJobStatus"]))])),
    ]
}

/// The messages of a socket for several jobs that a progress socket does not have (streams.md "Many jobs on one WebSocket").
enum JobsMessageCatalogue {
    private static let milliseconds = Schema.integer(0...Int(Int64.max))

    static let server: [DescribedMessage] = [
        notice(.watched, "The job is watched; its frames follow.", []),
        notice(
            .refused, "The job is not watched, or the list cannot be read.",
            [.required("code", .choice(of: APIErrorCode.self)), .optional("message", .text)], needsJob: false),
        notice(
            .unwatched, "No more frames of the job follow.",
            [.optional("code", .choice(of: APIErrorCode.self), "Why, unless the job is over or the client left it.")]),
        ofConnection(.ping, .ping, "Asks for a sign of life."),
        ofConnection(.pong, .pong, "Answers the client's `ping`."),
    ]

    static let client: [DescribedMessage] = [
        DescribedMessage(
            name: "client_watch", summary: "Watches jobs.",
            payload: .object([.required("type", .choice(["watch"])), .required("jobs", JobSchemas.selectedJobs)])),
        DescribedMessage(
            name: "client_unwatch", summary: "Leaves jobs.",
            payload: .object([.required("type", .choice(["unwatch"])), .required("jobs", JobSchemas.selectedJobs)])),
        DescribedMessage(
            name: "client_concerning", summary: "A message of a progress socket, for a watched job.",
            payload: .object([
                .required("type", .choice(["sync_request", "cancel", "cancel_batch"])), .required("jobId", .jobId),
            ])),
    ]

    private static func notice(
        _ type: CarrierNotice.Kind, _ summary: String, _ members: [Property], needsJob: Bool = true
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
                .required("type", .choice([type.rawValue])), .required("timestamp", milliseconds),
                .required("version", .choice(["1.0.0"])), .required("payload", .named(payload)),
            ]))
    }
}

/// One message of the progress socket, for `/asyncapi.json`. A test compares them with the types that are encoded and decoded.
struct DescribedMessage: Sendable {
    /// The name in the document.
    var name: String
    var summary: String
    var payload: Schema

    /// A frame of the server: the envelope of websocket.md "Frames" around a payload.
    static func server(_ type: FrameType, _ payload: SchemaName, _ summary: String) -> DescribedMessage {
        DescribedMessage(
            name: type.rawValue, summary: summary,
            payload: .object([
                .required("type", .choice([type.rawValue])), .required("jobId", .jobId),
                .required("pipeline", .choice(of: Pipeline.self)),
                .required("timestamp", .integer(0...Int(Int64.max)), "Milliseconds since 1970."),
                .required("version", .choice(["1.0.0"])),
                .required("seq", .count, "Number of the job's event, or of the last one sent on the connection."),
                .required("payload", .named(payload)),
            ]))
    }

    /// A message of the client; `members` are those of its payload.
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
