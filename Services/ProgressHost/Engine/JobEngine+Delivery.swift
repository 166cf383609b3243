import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods

extension JobEngine {
    /// Sockets named in one message; keeps what surrounds a frame small beside the frame's own bound (`V1Completion.byteLimit`).
    private static let socketsPerDelivery = 128

    /// Sends one frame to some sockets after the commit.
    func deliver(_ frame: ByteBuffer, kind: SocketDelivery.Kind, seq: Int, to keys: [SocketKey]) {
        guard !keys.isEmpty else { return }
        for (peer, group) in Dictionary(grouping: keys, by: \.peer) {
            guard let link = links[peer] else { continue }
            tally.deliveries.append((kind, group.count))
            var rest = group[...]
            while !rest.isEmpty {
                let delivery = SocketDelivery(
                    sockets: rest.prefix(Self.socketsPerDelivery).map(\.socket), kind: kind, seq: seq, frame: frame)
                rest = rest.dropFirst(Self.socketsPerDelivery)
                effects.append(Effect(commit: { link.notifyRaw(SocketDelivery.name, delivery.raw) }))
            }
        }
    }

    /// Closes sockets after what was delivered to them before. Those that api-proxy does not report as closed are forgotten when
    /// they are next looked at.
    func close(_ keys: [SocketKey], code: CloseCode, reason: String) {
        for key in keys { sessions[key]?.isClosing = true }
        let reason = Self.reasonLimit.cut(reason)
        for (peer, group) in Dictionary(grouping: keys, by: \.peer) {
            notify(
                CloseSockets.self,
                CloseSockets.Parameters(sockets: group.map(\.socket), code: code, reason: reason), to: peer)
        }
    }

    /// A close frame carries at most 123 bytes of reason (RFC 6455 §5.5).
    private static let reasonLimit = FrameTextLimit(bytes: 123)

    /// Sends a typed notification after the commit.
    func notify<N: RPCNotification>(_ notification: N.Type, _ parameters: N.Parameters, to peer: PeerID) {
        guard let link = links[peer], let encoded = try? BodyCoding.encode(parameters) else { return }
        effects.append(Effect(commit: { link.notifyRaw(N.name, encoded) }))
    }
}
