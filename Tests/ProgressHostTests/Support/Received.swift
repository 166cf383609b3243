import BookstrackContract
import NIOCore
import SuiteMethods

/// One frame as a socket gets it.
struct ReceivedFrame: Equatable {
    let kind: SocketDelivery.Kind
    let seq: Int
    let bytes: [UInt8]
    let json: JSON

    init(_ delivery: SocketDelivery) {
        kind = delivery.kind
        seq = delivery.seq
        bytes = Array(delivery.frame.readableBytesView)
        json = (try? JSON(bytes)) ?? .null
    }

    var type: String? { json["type"]?.text }
    var payload: JSON? { json["payload"] }
    /// The flat content of a v1 frame.
    var content: JSON? { json["data"] }
}

/// What a socket gets.
enum Received: Equatable {
    case frame(ReceivedFrame)
    case close(CloseCode, reason: String)
}

extension [Received] {
    var frames: [ReceivedFrame] { compactMap { if case .frame(let frame) = $0 { frame } else { nil } } }
    var types: [String] { frames.map { $0.type ?? "?" } }
    /// Numbers of the job events among it.
    var seqs: [Int] { frames.filter { [.event, .progress, .replayed, .page, .terminal].contains($0.kind) }.map(\.seq) }
    var close: CloseCode? {
        for case .close(let code, _) in self { return code }
        return nil
    }
    /// Types of the frames, and codes of the closes, in order.
    var story: [String] {
        map {
            switch $0 {
            case .frame(let frame): frame.type ?? "?"
            case .close(let code, _): "close \(code.rawValue)"
            }
        }
    }
}
