import NIOCore

/// The bytes that wait for the peer, frames back to back.
///
/// The channel gets one piece at a time; frames that are queued meanwhile gather here and go out in one write. The
/// channel's own queue therefore holds at most one piece, and `bufferedBytes` counts all bytes.
struct OutboundQueue {
    /// Why a frame was not accepted.
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
    /// The piece that is being written.
    private var piece = ByteBuffer()
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
        // The line end is not part of the frame.
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

    /// The next piece to be written; nil while one is, or when nothing waits.
    mutating func take() -> ByteBuffer? {
        guard piece.readableBytes == 0, bufferedBytes > 0 else { return nil }
        if let first = full.popFirst() {
            piece = first
        } else {
            swap(&piece, &last)
        }
        return piece
    }

    /// The piece is written, or its first `length` bytes: the rest is then the next piece.
    mutating func wrote(_ length: Int? = nil) {
        let length = length ?? piece.readableBytes
        bufferedBytes -= length
        piece.moveReaderIndex(forwardBy: length)
        if piece.readableBytes > 0 { full.prepend(piece) }
        piece = ByteBuffer()
    }

    /// Drops everything except the piece that is being written.
    mutating func clear() {
        full = []
        last = ByteBuffer()
        bufferedBytes = piece.readableBytes
    }
}
