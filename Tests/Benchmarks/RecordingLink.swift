import BookstrackContract
import NIOCore
import NIOPosix
import SuiteMethods

/// A worker's connection to progress-host that records one item per call and looks at no answer, on the event loop of the clients.
// @unchecked Sendable: everything but the constants is touched on `channel.eventLoop` only.
final class RecordingLink: @unchecked Sendable {
    private let channel: any Channel
    private var lastID = 0
    private var willFlush = false

    /// Connects to the host whose sockets are in `runtimeDirectory`.
    init(runtimeDirectory: String, on eventLoop: any EventLoop) async throws {
        channel = try await ClientBootstrap(group: eventLoop)
            .connect(unixDomainSocketPath: "\(runtimeDirectory)/\(ServiceInstance.progressHost.socketName)").get()
    }

    /// Records a success. What is recorded in one go of the event loop is written at once.
    func record(_ item: ClaimedItem) {
        guard let work = try? WorkerPuppet.work([item]).raw() else { return }
        lastID += 1
        var frame = channel.allocator.buffer(capacity: work.readableBytes + 96)
        frame.writeString(
            #"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(RecordWork.name)","deadlineMs":15000,"params":"#)
        frame.writeImmutableBuffer(work)
        frame.writeString("}\n")
        channel.write(frame, promise: nil)
        guard !willFlush else { return }
        willFlush = true
        channel.eventLoop.execute {
            self.willFlush = false
            self.channel.flush()
        }
    }

    func disconnect() async { try? await channel.close() }
}
