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

    /// A piece takes no more frames at this length, so that the channel reports progress while a lot waits.
    private static let pieceBytes = 256 << 10

    private let maximumFrameBytes: Int
    private let maximumBytes: Int
    /// Full pieces, then `last`.
    private var full = CircularBuffer<ByteBuffer>()
    private var last = ByteBuffer()
    private var writing = 0
    private(set) var bufferedBytes = 0

    init(_ limits: RPCLimits) {
        maximumFrameBytes = limits.maximumFrameBytes
        maximumBytes = limits.maximumOutboundBytes
    }

    /// Takes one frame, or leaves everything as it was.
    mutating func append(_ write: (inout ByteBuffer) -> Void) throws(Refusal) {
        let begin = last.writerIndex
        write(&last)
        let length = last.writerIndex - begin
        // The line's end is not part of the frame.
        let isTooLarge = length - 1 > maximumFrameBytes
        guard !isTooLarge, bufferedBytes + length <= maximumBytes else {
            last.moveWriterIndex(to: begin)
            throw isTooLarge ? .frameTooLarge : .full
        }
        bufferedBytes += length
        if last.readableBytes >= Self.pieceBytes {
            full.append(last)
            last = ByteBuffer()
        }
    }

    /// The next piece for the channel; nil while it has one, or when nothing waits.
    mutating func take() -> ByteBuffer? {
        guard writing == 0, bufferedBytes > 0 else { return nil }
        if let piece = full.popFirst() {
            writing = piece.readableBytes
            return piece
        }
        defer { last = ByteBuffer() }
        writing = last.readableBytes
        return last
    }

    /// The channel has written its piece.
    mutating func wrote() {
        bufferedBytes -= writing
        writing = 0
    }

    /// Drops what waits.
    mutating func clear() {
        full = []
        last = ByteBuffer()
        bufferedBytes = writing
    }
}
