import NIOCore

/// The bytes that wait for the peer, frames back to back.
///
/// One piece at a time is given to the channel; what is said meanwhile gathers here and goes out in one write. So the
/// channel's own queue holds at most one piece, and `bufferedBytes` is all there is.
struct OutboundQueue {
    /// Why a frame was not taken.
    enum Refusal: Error, Equatable {
        case frameTooLarge, full
    }

    private let maximumFrameBytes: Int
    private let maximumBytes: Int
    private var waiting = ByteBuffer()
    private var writing = 0

    init(_ limits: RPCLimits) {
        maximumFrameBytes = limits.maximumFrameBytes
        maximumBytes = limits.maximumOutboundBytes
    }

    var bufferedBytes: Int { waiting.readableBytes + writing }

    /// Whether the channel has a piece that it has not written yet.
    var isWriting: Bool { writing > 0 }

    /// Takes one frame, or leaves everything as it was.
    mutating func append(_ write: (inout ByteBuffer) -> Void) throws(Refusal) {
        let begin = waiting.writerIndex
        write(&waiting)
        // The line's end is not part of the frame.
        let tooLarge = waiting.writerIndex - begin - 1 > maximumFrameBytes
        guard !tooLarge, bufferedBytes <= maximumBytes else {
            waiting.moveWriterIndex(to: begin)
            throw tooLarge ? .frameTooLarge : .full
        }
    }

    /// The next piece for the channel; nil while it has one, or when nothing waits.
    mutating func take() -> ByteBuffer? {
        guard writing == 0, waiting.readableBytes > 0 else { return nil }
        writing = waiting.readableBytes
        defer { waiting = ByteBuffer() }
        return waiting
    }

    /// The channel has written its piece.
    mutating func wrote() {
        writing = 0
    }

    /// Drops what waits.
    mutating func clear() {
        waiting = ByteBuffer()
    }
}
