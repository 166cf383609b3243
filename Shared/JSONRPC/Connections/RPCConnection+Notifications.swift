import Logging
import NIOConcurrencyHelpers
package import NIOCore

extension RPCConnection {
    /// Sends a typed notification.
    ///
    /// - Returns: Whether it was queued; see ``notifyRaw(_:_:)``.
    @discardableResult
    package func notify<Notification: RPCNotification>(
        _ notification: Notification.Type, _ parameters: Notification.Parameters
    ) -> Bool {
        do {
            return notifyRaw(Notification.name, try BodyCoding.encode(parameters))
        } catch {
            logger.critical("a notification does not encode", metadata: ["method": "\(Notification.name)"])
            return false
        }
    }

    /// Sends a notification whose parameters are a JSON object already.
    ///
    /// Notifications and calls of one thread reach the peer in the order in which they were made.
    ///
    /// - Returns: Whether it was queued: not on a closed connection, and not beyond ``RPCLimits/maximumOutboundBytes``,
    ///   where the connection is closed, since the peer does not read.
    @discardableResult
    package func notifyRaw(_ name: String, _ parameters: ByteBuffer) -> Bool {
        send(name) { FrameWriter.writeNotification(method: name, parameters: parameters, to: &$0) }
    }

    /// Queues a frame that must not be left out.
    @discardableResult
    func send(_ subject: String, _ write: (inout ByteBuffer) -> Void) -> Bool {
        switch enqueue(write) {
        case .queued:
            return true
        case .refused(.full):
            logger.error("the peer does not read; closing", metadata: ["method": "\(subject)"])
            close()
        case .refused(.frameTooLarge):
            logger.error("a frame beyond the bound was not sent", metadata: ["method": "\(subject)"])
        case .closed:
            break
        }
        return false
    }

    /// Queues a frame if there is room.
    @discardableResult
    func enqueue(_ write: (inout ByteBuffer) -> Void) -> Enqueued {
        let (outcome, needsWake) = state.withLockedValue { state -> (Enqueued, Bool) in
            guard state.phase == .open else { return (.closed, false) }
            do throws(OutboundQueue.Refusal) {
                try state.outbound.append(write)
                return (.queued, state.needsWake(toWrite: true))
            } catch {
                return (.refused(error), false)
            }
        }
        if needsWake { wakeToWrite() }
        return outcome
    }

    /// What became of a frame.
    enum Enqueued {
        case queued, refused(OutboundQueue.Refusal), closed
    }
}
