import JSONRPC

/// Answers what it is given.
enum Echo: RPCMethod {
    struct Text: Codable, Equatable, Sendable {
        var text: String
    }
    typealias Parameters = Text
    typealias Result = Text
    static let name = "test.echo"
    static let isIdempotent = true
    static let deadline = Duration.seconds(10)
}

/// As ``Echo``, answered on the event loop.
enum InlineEcho: RPCMethod {
    typealias Parameters = Echo.Text
    typealias Result = Echo.Text
    static let name = "test.inlineEcho"
    static let isIdempotent = true
    static let deadline = Duration.seconds(10)
}

/// A number that is sent and not answered.
enum Count: RPCNotification {
    struct Value: Codable, Sendable {
        var value: Int
    }
    typealias Parameters = Value
    static let name = "test.count"
}
