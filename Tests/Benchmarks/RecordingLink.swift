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
    /// Of each job, what comes before and after an item's place in its call.
    private var calls: [JobID: (head: ByteBuffer, tail: ByteBuffer)] = [:]

    /// Connects to the host whose sockets are in `runtimeDirectory`.
    init(runtimeDirectory: String, on eventLoop: any EventLoop) async throws {
        channel = try await ClientBootstrap(group: eventLoop)
            .connect(unixDomainSocketPath: "\(runtimeDirectory)/\(ServiceInstance.progressHost.socketName)").get()
    }

    /// Records a success. What is recorded in one go of the event loop is written at once.
    func record(_ item: ClaimedItem) {
        guard let call = call(item) else { return }
        lastID += 1
        var frame = channel.allocator.buffer(capacity: call.head.readableBytes + call.tail.readableBytes + 128)
        frame.writeString(
            #"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(RecordWork.name)","deadlineMs":15000,"params":"#)
        frame.writeImmutableBuffer(call.head)
        frame.writeString(String(item.key.index))
        frame.writeImmutableBuffer(call.tail)
        frame.writeString("}\n")
        channel.write(frame, promise: nil)
        guard !willFlush else { return }
        willFlush = true
        channel.eventLoop.execute {
            self.willFlush = false
            self.channel.flush()
        }
    }

    /// The parameters of a job's calls differ in one number: they are encoded once, to leave the processors to the services.
    private func call(_ item: ClaimedItem) -> (head: ByteBuffer, tail: ByteBuffer)? {
        if let known = calls[item.key.jobId] { return known }
        let place = Array(#""index":"#.utf8)
        guard let raw = try? WorkerPuppet.work([item]).raw(),
            let head = raw.readableBytesView.firstRange(of: place)?.upperBound
        else { return nil }
        let digits = raw.readableBytesView[head...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let call = (
            head: ByteBuffer(raw.readableBytesView[..<head]),
            tail: ByteBuffer(raw.readableBytesView[digits.endIndex...])
        )
        calls[item.key.jobId] = call
        return call
    }

    func disconnect() async { try? await channel.close() }
}
