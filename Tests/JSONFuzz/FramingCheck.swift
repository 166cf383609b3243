import JSONRPC
import NIOCore

/// Checks that the frames of a stream are its lines, however the stream is cut into pieces.
struct FramingCheck {
    private static let bound = 4_096

    /// The fault that was found; nil if there is none.
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
            return isOversized ? nil : "a frame is too long"
        }
        let expected = lines.dropLast().filter { !$0.isEmpty && $0 != [UInt8(ascii: "\r")] }
        return !isOversized && frames == Array(expected) ? nil : "the frames differ from the stream's lines"
    }
}
