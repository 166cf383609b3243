import JSONRPC
import NIOCore

/// Whatever pieces a stream arrives in, the frames are the lines of the whole.
struct FramingCheck {
    private static let bound = 4_096

    /// The fault found; nil when all is well.
    func fault(in stream: [UInt8], cutInto pieces: [ArraySlice<UInt8>]) -> String? {
        var scanner = FrameScanner(maximumFrameBytes: Self.bound)
        var frames: [[UInt8]] = []
        var isOversized = false
        for piece in pieces where !isOversized {
            scanner.append(ByteBuffer(bytes: piece))
            do {
                while let frame = try scanner.next() { frames.append(Array(buffer: frame)) }
            } catch {
                isOversized = true
            }
        }
        let lines = stream.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        guard lines.allSatisfy({ $0.count <= Self.bound }) else {
            return isOversized ? nil : "a frame that is too long"
        }
        let expected = lines.dropLast().filter { !$0.isEmpty && $0 != [UInt8(ascii: "\r")] }
        return !isOversized && frames == Array(expected) ? nil : "other frames than the stream's lines"
    }
}
