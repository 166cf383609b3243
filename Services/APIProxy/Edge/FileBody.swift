import Foundation
import Hummingbird
import NIOCore
import NIOPosix

extension ResponseBody {
    /// Maximum number of bytes that are read and sent at a time.
    private static let part = 64 << 10

    /// A body that is read from a file while the client receives it, so a slow client occupies little memory and no thread.
    ///
    /// - Parameters:
    ///   - length: Length of the body in bytes.
    ///   - threads: The threads on which `read` may block.
    ///   - read: Reads at most `count` bytes of the body, starting at `offset`.
    init(
        length: Int, readOn threads: NIOThreadPool,
        _ read: @escaping @Sendable (_ offset: Int, _ count: Int) throws -> ByteBuffer
    ) {
        self.init(contentLength: length) { writer in
            var offset = 0
            while offset < length {
                let (start, count) = (offset, min(Self.part, length - offset))
                let bytes = try await threads.runIfActive { try read(start, count) }
                // Ends the connection: a truncated body must not look complete.
                guard bytes.readableBytes > 0 else { throw POSIXError(.EIO) }
                try await writer.write(bytes)
                offset += bytes.readableBytes
            }
            try await writer.finish(nil)
        }
    }
}
