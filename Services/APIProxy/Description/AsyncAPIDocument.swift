import BookstrackContract
import Foundation

/// The description of the WebSockets (AsyncAPI 3.0), served as `/asyncapi.json`.
struct AsyncAPIDocument {
    /// Query parameters of a progress socket's upgrade request.
    var parameters: [Parameter]
    var servers: [Server]

    /// The socket's address, split into the members of an AsyncAPI server object.
    struct Server: Encodable {
        var host: String
        var `protocol`: String
        var pathname: String?

        /// Derives the WebSocket server from the API's HTTP URL; nil if `address` is not a URL with a host.
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
                "progress", at: UpgradeRequest.path, "Progress of one job", parameters, sent: MessageCatalog.server,
                received: MessageCatalog.client),
            Channel(
                "jobs", at: JobsSocket.path, "Progress of several jobs", [],
                sent: MessageCatalog.server.filter { $0.name != MessageCatalog.v1FrameName }
                    + JobsMessageCatalog.server, received: JobsMessageCatalog.client),
        ]
    }

    private struct Info: Encodable {
        var title = "BooksTrack progress sockets"
        var version = "1.0.0"
        var description =
            "Connect to `/ws/progress?jobId=…&token=…` for one job, or to `/ws/jobs` for the jobs that the client "
            + "specifies. Close codes: 1000 the job ended, 1001 it was cancelled, 1002 malformed message, 1007 text "
            + "that is not UTF-8, 1008 token revoked, too many messages or another policy violation, 1009 message too "
            + "large, 1011 the job failed or an internal error occurred, 1012 the server is restarting, 1013 the "
            + "connection cannot continue at the moment, for example because of overload or a slow or silent client. "
            + "After a lost connection, 1012, 1013 (after 30 s), or 1011 without an `error` frame, reconnect with "
            + "`since=SEQ`. After a completed scan or import, the server waits up to 10 s for the client to close."
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
