import CZlib

/// Compressed response bodies.
enum Gzip {
    /// The bytes in gzip format (RFC 1952).
    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        // The stream needs a stable address, because zlib stores it.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        // 15 for a window of 32 KiB, plus 16 for a gzip header (zlib.h, `deflateInit2`).
        deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(stream) }
        var bytes = bytes
        var compressed = [UInt8](repeating: 0, count: Int(deflateBound(stream, UInt(bytes.count))))
        bytes.withUnsafeMutableBufferPointer { input in
            compressed.withUnsafeMutableBufferPointer { output in
                (stream.pointee.next_in, stream.pointee.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.pointee.next_out, stream.pointee.avail_out) = (output.baseAddress, UInt32(output.count))
                _ = deflate(stream, Z_FINISH)
            }
        }
        return Array(compressed.prefix(Int(stream.pointee.total_out)))
    }
}
