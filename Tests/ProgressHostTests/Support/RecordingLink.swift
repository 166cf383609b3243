import BookstrackContract
import Foundation
import JSONRPC
import NIOCore
import SuiteMethods
import Synchronization

@testable import ProgressHost

/// A connected process that writes down what it is sent.
final class RecordingLink: PeerLink {
    let id = PeerID()
    private let heard = Mutex<[(name: String, parameters: ByteBuffer)]>([])

    func notifyRaw(_ name: String, _ parameters: ByteBuffer) -> Bool {
        heard.withLock { $0.append((name, parameters)) }
        return true
    }

    /// What a socket was sent since the last look, in order.
    func take(_ socket: SocketID) -> [Received] { take { $0 == socket } }

    /// What all sockets were sent since the last look.
    func takeAll() -> [Received] { take { _ in true } }

    /// Jobs that were withdrawn since the last look.
    func takeWithdrawn() -> [JobID] {
        heard.withLock { heard in
            let found = heard.filter { $0.name == WorkWithdrawn.name }
            heard.removeAll { $0.name == WorkWithdrawn.name }
            return found.flatMap {
                (try? BodyCoding.decode(WorkWithdrawn.Parameters.self, from: $0.parameters))?.jobs ?? []
            }
        }
    }

    private func take(where isMine: (SocketID) -> Bool) -> [Received] {
        heard.withLock { heard in
            var mine: [Received] = []
            for (name, parameters) in heard {
                if name == SocketDelivery.name, let delivery = SocketDelivery(raw: parameters),
                    delivery.sockets.contains(where: isMine)
                {
                    mine.append(.frame(ReceivedFrame(delivery)))
                } else if name == CloseSockets.name,
                    let close = try? BodyCoding.decode(CloseSockets.Parameters.self, from: parameters),
                    close.sockets.contains(where: isMine)
                {
                    mine.append(.close(close.code, reason: close.reason))
                }
            }
            heard.removeAll { name, parameters in
                name == SocketDelivery.name && SocketDelivery(raw: parameters)?.sockets.contains(where: isMine) == true
                    || name == CloseSockets.name
                        && (try? BodyCoding.decode(CloseSockets.Parameters.self, from: parameters))?.sockets
                            .contains(where: isMine) == true
            }
            return mine
        }
    }
}
