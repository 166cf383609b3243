import BookstrackContract
import Foundation

/// The description of the progress socket (AsyncAPI 3.0), served as `/asyncapi.json`.
struct AsyncAPIDocument {
    /// Query parameters of the upgrade request.
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

    private static let channel = "progress"

    private struct Info: Encodable {
        var title = "BooksTrack progress socket"
        var version = "1.0.0"
        var description =
            "Opens at `/ws/progress?jobId=…&token=…`. Close codes: 1000 the job ended, 1001 it was cancelled, 1002 malformed "
            + "message, 1007 text that is not UTF-8, 1008 token revoked or too many messages, 1009 message too large, "
            + "1011 the job failed, 1012 the server is restarting, 1013 overload. After any code but 1000 and 1001, reconnect "
            + "with `since=SEQ`. After a completed scan or import the server waits up to 10 s for the client to close."
    }

    private struct Action: Encodable {
        var action: String
        var summary: String
        var channel = Reference(to: "#/channels/\(AsyncAPIDocument.channel)")
        var messages: [Reference]

        init(_ action: String, _ summary: String, _ messages: [DescribedMessage]) {
            self.action = action
            self.summary = summary
            self.messages = messages.map {
                Reference(to: "#/channels/\(AsyncAPIDocument.channel)/messages/\($0.name)")
            }
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
        let messages = MessageCatalogue.server + MessageCatalogue.client
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("3.0.0", forKey: .asyncapi)
        try container.encode(Info(), forKey: .info)
        var places = container.nestedContainer(keyedBy: MemberName.self, forKey: .servers)
        for (number, server) in servers.enumerated() {
            try places.encode(server, forKey: MemberName("server\(number + 1)"))
        }
        try container.encode("application/json", forKey: .defaultContentType)
        var channels = container.nestedContainer(keyedBy: MemberName.self, forKey: .channels)
        try encodeChannel(
            messages, channels.nestedContainer(keyedBy: ChannelKey.self, forKey: MemberName(Self.channel)))
        try container.encode(
            [
                "sendProgress": Action("send", "Server messages", MessageCatalogue.server),
                "receiveClient": Action("receive", "Client messages", MessageCatalogue.client),
            ], forKey: .operations)
        var components = container.nestedContainer(keyedBy: ComponentKey.self, forKey: .components)
        var described = components.nestedContainer(keyedBy: MemberName.self, forKey: .messages)
        for message in messages { try described.encode(message, forKey: MemberName(message.name)) }
        try SchemaName.encode(
            SchemaName.reached(from: messages.map(\.payload)),
            to: components.nestedContainer(keyedBy: MemberName.self, forKey: .schemas))
    }

    private func encodeChannel(
        _ messages: [DescribedMessage], _ container: KeyedEncodingContainer<ChannelKey>
    ) throws {
        var channel = container
        try channel.encode(UpgradeRequest.path, forKey: .address)
        try channel.encode("Progress of one job", forKey: .title)
        var references = channel.nestedContainer(keyedBy: MemberName.self, forKey: .messages)
        for message in messages {
            try references.encode(
                Reference(to: "#/components/messages/\(message.name)"), forKey: MemberName(message.name))
        }
        let query = parameters.map {
            Property(name: $0.name, schema: $0.schema, meaning: $0.meaning, isRequired: $0.isRequired)
        }
        try channel.encode(["ws": Binding(query: .object(query))], forKey: .bindings)
    }
}

/// The messages of a progress socket (websocket.md).
enum MessageCatalogue {
    static let server: [DescribedMessage] = [
        .server(.jobStarted, .jobStarted, "The job has started."),
        .server(.jobProgress, .jobProgress, "Progress of the job; also the last frame of a cancelled job."),
        .server(.jobComplete, .jobComplete, "The job has completed; read the results over HTTP."),
        .server(.error, .jobError, "The job failed."),
        .server(.batchInit, .batchInit, "The photos of a batch are known."),
        .server(.batchProgress, .batchProgress, "The state of a photo of a batch has changed."),
        .server(.batchComplete, .batchComplete, "Every photo of a batch is read and every book looked up."),
        .server(.batchCanceling, .batchCanceling, "The last frame of a cancelled batch."),
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
