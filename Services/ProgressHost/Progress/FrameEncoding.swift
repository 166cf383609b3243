import BookstrackContract
import JSONRPC
import NIOCore

/// Turns frames into bytes and keeps them below 1 KiB (websocket.md "Frames").
enum FrameEncoding {
    /// A frame stays below this many bytes unless websocket.md "Frames" says otherwise.
    static let softLimit = 1_024

    /// Texts are tried at these lengths, in bytes of UTF-8, until the frame fits.
    private static let textLengths = [200, 120, 72, 40, 20, 8]

    /// Encodes what `build` makes; `build` is given a way to cut texts and is called again with shorter texts while the
    /// frame is not below `softLimit`.
    static func encode(_ build: (FrameTextLimit) -> some Encodable) throws -> ByteBuffer {
        try fit { try BodyCoding.encode(build($0)) }
    }

    /// The same of progress frames, by hand.
    static func progress(_ build: (FrameTextLimit) -> ServerFrame<JobProgressPayload>) throws -> ByteBuffer {
        try fit { try ProgressFrameText.write(build($0)) }
    }

    private static func fit(_ write: (FrameTextLimit) throws -> ByteBuffer) rethrows -> ByteBuffer {
        var frame = ByteBuffer()
        for length in textLengths {
            frame = try write(FrameTextLimit(bytes: length))
            if frame.readableBytes < softLimit { break }
        }
        return frame
    }

    /// Puts elements that are JSON text already into an empty list of a frame. Its name stands nowhere else in the frame: inside texts
    /// quotation marks are escaped.
    static func insert(_ elements: ByteBuffer, into list: String, of frame: ByteBuffer) -> ByteBuffer {
        let opening = Array("\"\(list)\":[".utf8)
        guard let place = frame.readableBytesView.firstRange(of: opening)?.upperBound else { return frame }
        var whole = ByteBuffer()
        whole.reserveCapacity(frame.readableBytes + elements.readableBytes)
        whole.writeBytes(frame.readableBytesView[..<place])
        whole.writeImmutableBuffer(elements)
        whole.writeBytes(frame.readableBytesView[place...])
        return whole
    }
}
