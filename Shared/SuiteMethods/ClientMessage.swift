import JSONRPC
import NIOCore

/// A message from a client on a progress socket (websocket.md "Client messages").
package enum ClientMessage: Sendable, Equatable {
    case ready
    /// `clientTime` in milliseconds of the client's own clock.
    case ping(clientTime: Int64?)
    case pong
    /// Requests the current state; `v1` is true for v1's `{"action":"getJobStatus"}`.
    case stateRequest(v1: Bool)
    case cancel
    /// The client has received every event up to this `seq`.
    case ack(seq: Int)
    /// v1's bare text `PING`.
    case textPing
    /// A well-formed message of an unknown type, or an `ack` without a valid `seq`; ignored and counted.
    case unknown(type: String)
    /// Like `unknown`, from a client of the v1 dialect (websocket.md "v1 dialect").
    case unknownAction(String)

    /// Why a message causes the socket to be closed with 1002.
    package enum Malformation: String, Error, Sendable, Equatable {
        case notJSON = "message is not JSON"
        case notAnObject = "message is not a JSON object"
        case noType = "message has no string \"type\" or \"action\""
    }

    /// Reads one text or binary message. If a key is repeated, the last value counts.
    package init(bytes: some Collection<UInt8>) throws(Malformation) {
        if bytes.elementsEqual("PING".utf8) {
            self = .textPing
            return
        }
        // Nearly every connection begins with exactly this text, so it is not decoded.
        if bytes.elementsEqual(#"{"type":"ready"}"#.utf8) {
            self = .ready
            return
        }
        let wire: Wire
        do {
            wire = try BodyCoding.decode(Wire.self, from: ByteBuffer(bytes: bytes))
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
            throw .notAnObject
        } catch {
            throw .notJSON
        }
        try self.init(wire)
    }

    private init(_ wire: Wire) throws(Malformation) {
        switch (wire.type, wire.action) {
        case ("ready", _): self = .ready
        case ("ping", _): self = .ping(clientTime: wire.clientTime)
        case ("pong", _): self = .pong
        case ("sync_request", _): self = .stateRequest(v1: false)
        case ("cancel", _), ("cancel_batch", _): self = .cancel
        case ("ack", _):
            if let seq = wire.seq, seq >= 0 { self = .ack(seq: seq) } else { self = .unknown(type: "ack") }
        case (let type?, _): self = .unknown(type: type)
        case (nil, "getJobStatus"): self = .stateRequest(v1: true)
        case (nil, let action?): self = .unknownAction(action)
        case (nil, nil): throw .noType
        }
    }

    /// The members that the server reads, each decoded leniently: a member of the wrong type counts as absent.
    private struct Wire: Decodable {
        var type: String?
        var action: String?
        var clientTime: Int64?
        var seq: Int?

        private enum CodingKeys: String, CodingKey { case type, action, payload, seq }
        private enum PayloadKeys: String, CodingKey { case clientTime }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            // Unlike `decode`, `decodeIfPresent` throws no error for an absent member. Most messages have only one member, and errors are slow.
            type = (try? container.decodeIfPresent(String.self, forKey: .type)) ?? nil
            action = (try? container.decodeIfPresent(String.self, forKey: .action)) ?? nil
            seq = (try? container.decodeIfPresent(Int.self, forKey: .seq)) ?? nil
            guard container.contains(.payload) else { return }
            let payload = try? container.nestedContainer(keyedBy: PayloadKeys.self, forKey: .payload)
            clientTime =
                (try? payload?.decode(Int64.self, forKey: .clientTime))
                ?? (try? payload?.decode(Double.self, forKey: .clientTime)).flatMap { Int64(exactly: $0.rounded()) }
        }
    }
}
