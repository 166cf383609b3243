import BookstrackContract
import Foundation
import JSONRPC
import NIOConcurrencyHelpers
import NIOCore
import SuiteMethods
import TestSupport
import Testing

@testable import ProgressHost

/// A connected process that records the messages sent to it.
final class RecordingLink: PeerLink {
    /// All messages, and each reader's position in them.
    private struct Log {
        var entries: [(name: String, parameters: ByteBuffer)] = []
        var read: [SocketID: Int] = [:]
        var readByAll = 0
        var withdrawalsRead = 0
    }

    let id = PeerID()
    private let waiting = NIOLockedValueBox(0)
    var bufferedBytes: Int { waiting.withLockedValue { $0 } }

    /// Simulates a process that does not read: this many bytes are waiting to be sent to it.
    func stall(at bytes: Int) { waiting.withLockedValue { $0 = bytes } }

    /// Total size in bytes of the parameters of all messages.
    var sentBytes: Int { log.withLockedValue { $0.entries.reduce(0) { $0 + $1.parameters.readableBytes } } }

    private let log = NIOLockedValueBox(Log())

    func notifyRaw(_ name: String, _ parameters: ByteBuffer) -> Bool {
        log.withLockedValue { $0.entries.append((name, parameters)) }
        return true
    }

    /// The frames and closes for a socket since the last call, in order.
    func take(_ socket: SocketID) -> [Received] {
        let new = log.withLockedValue { log in
            let from = max(log.read[socket] ?? 0, log.readByAll)
            log.read[socket] = log.entries.count
            return log.entries[from...]
        }
        return new.compactMap { Self.received($0.name, $0.parameters, by: socket) }
    }

    /// All sent notifications of one kind.
    func sent<N: RPCNotification>(_ notification: N.Type) -> [N.Parameters] {
        log.withLockedValue { $0.entries }.filter { $0.name == N.name }.compactMap {
            try? BodyCoding.decode(N.Parameters.self, from: $0.parameters)
        }
    }

    /// Marks all messages as read by every socket.
    func skipAll() { log.withLockedValue { $0.readByAll = $0.entries.count } }

    /// Jobs that were withdrawn since the last call.
    func takeWithdrawn() -> [JobID] {
        let new = log.withLockedValue { log in
            defer { log.withdrawalsRead = log.entries.count }
            return log.entries[log.withdrawalsRead...]
        }
        return new.filter { $0.name == WorkWithdrawn.name }.flatMap {
            (try? BodyCoding.decode(WorkWithdrawn.Parameters.self, from: $0.parameters))?.jobs ?? []
        }
    }

    private static func received(_ name: String, _ parameters: ByteBuffer, by socket: SocketID) -> Received? {
        switch name {
        case SocketDelivery.name:
            guard let delivery = SocketDelivery(raw: parameters), delivery.sockets.contains(socket) else { return nil }
            return .frame(ReceivedFrame(delivery))
        case CloseSockets.name:
            guard let close = try? BodyCoding.decode(CloseSockets.Parameters.self, from: parameters),
                close.sockets.contains(socket)
            else { return nil }
            return .close(close.code, reason: close.reason)
        default: return nil
        }
    }
}

/// One frame as a socket receives it.
struct ReceivedFrame: Equatable {
    let kind: SocketDelivery.Kind
    let seq: Int
    let bytes: [UInt8]
    let json: JSON

    init(_ delivery: SocketDelivery) {
        kind = delivery.kind
        seq = delivery.seq
        bytes = Array(delivery.frame.readableBytesView)
        json = Self.strictly(bytes)
    }

    /// Reads a frame as a strict decoder does, which refuses repeated keys; a frame that cannot be read fails the test.
    private static func strictly(_ bytes: [UInt8]) -> JSON {
        do {
            let repeated = try WireForm.repeatedMembers(in: bytes)
            #expect(repeated == [])
            return try JSON(bytes)
        } catch {
            Issue.record(error, "a frame is not JSON")
            return .null
        }
    }

    var type: String? { json["type"]?.text }
    var payload: JSON? { json["payload"] }
    /// The flat content of a v1 frame.
    var content: JSON? { json["data"] }
}

/// A frame or close that a socket receives.
enum Received: Equatable {
    case frame(ReceivedFrame)
    case close(CloseCode, reason: String)
}

extension [Received] {
    var frames: [ReceivedFrame] { compactMap { if case .frame(let frame) = $0 { frame } else { nil } } }
    var types: [String] { frames.map { $0.type ?? "?" } }
    /// The `seq` values of the received job events.
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
