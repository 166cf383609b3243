/// A live WebSocket, numbered by the api-proxy process that holds it. Unique per RPC connection.
package struct SocketID: Hashable, Sendable, Codable {
    package var number: UInt64

    package init(_ number: UInt64) { self.number = number }

    package init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(UInt64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
