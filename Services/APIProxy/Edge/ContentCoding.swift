import BookstrackContract
import CZlib
import HTTPTypes
import NIOCore

/// The rules for content codings: which response bodies are compressed (http-api.md "Compression"), and that no request body may be.
enum ContentCoding {
    /// A body of at most this many bytes is not compressed.
    static let maxPlainBytes = 1_024
    static let acceptEncoding = "Accept-Encoding"

    private static let gzip = "gzip"
    /// Names under which `Accept-Encoding` may list gzip (RFC 9110 §8.4.1.3).
    private static let gzipNames: Set<Substring> = ["gzip", "x-gzip"]

    /// Creates the compressor and sets `Content-Encoding`; nil if the body is not compressed. If it would be compressed for some clients, sets `Vary`
    /// in either case.
    ///
    /// - Parameters:
    ///   - accepted: The request's `Accept-Encoding`.
    ///   - length: Length of the body in bytes; nil if it is unknown.
    static func choose(for fields: inout HTTPFields, accepted: String?, length: Int?) -> GzipStream? {
        guard length ?? .max > maxPlainBytes, isCompressible(fields) else { return nil }
        vary(&fields)
        guard let accepted, prefersGzip(accepted), let stream = GzipStream() else { return nil }
        fields.append(HTTPField(name: .contentEncoding, value: gzip))
        return stream
    }

    /// Declares that a response depends on `Accept-Encoding` (RFC 9110 §12.5.5).
    static func vary(_ fields: inout HTTPFields) {
        fields.append(HTTPField(name: .vary, value: acceptEncoding))
    }

    /// Throws 415 for a body with a content coding, since no coding is supported (RFC 9110 §15.5.16).
    static func checkIdentity(_ fields: HTTPFields) throws(APIFailure) {
        let codings = fields[values: .contentEncoding].flatMap { $0.lowercased().split(separator: ",") }
        guard let coding = codings.map(\.trimmed).first(where: { !$0.isEmpty && $0 != "identity" }) else { return }
        var failure = APIFailure(
            .unsupportedMediaType, "Send the body without Content-Encoding.",
            details: ["contentEncoding": .text(String(coding.prefix(32))), "accepted": "identity"])
        failure.fields = [.acceptEncoding: "identity"]
        throw failure
    }

    /// Whether the body is JSON or text without a content coding, and not an event stream, in which the compressor would hold back events until it
    /// has enough data for a block. Images are already compressed.
    private static func isCompressible(_ fields: HTTPFields) -> Bool {
        // The subscript would first build an index of all fields.
        guard !fields.contains(where: { $0.name == .contentEncoding }),
            let type = fields.first(where: { $0.name == .contentType })?.value
        else { return false }
        return type.hasPrefix("application/json") || (type.hasPrefix("text/") && !type.hasPrefix("text/event-stream"))
    }

    /// Whether gzip is acceptable and preferred at least as much as no coding (RFC 9110 §12.5.3).
    static func prefersGzip(_ accepted: String) -> Bool {
        var gzip: Double?
        var identity: Double?
        var other: Double?
        for item in accepted.lowercased().split(separator: ",") {
            let parts = item.split(separator: ";").map { $0.trimmed }
            guard let name = parts.first else { continue }
            let weight = weight(parts.dropFirst())
            if gzipNames.contains(name) {
                gzip = max(gzip ?? 0, weight)
            } else if name == "identity" {
                identity = weight
            } else if name == "*" {
                other = weight
            }
        }
        let preference = gzip ?? other ?? 0
        // If `identity` is not listed, it is acceptable, but less preferred than any listed coding.
        return preference > 0 && preference >= identity ?? 0
    }

    /// The weight (`q`) of an item; 1 if there is none, 0 if it is invalid.
    private static func weight(_ parameters: ArraySlice<Substring>) -> Double {
        for parameter in parameters where parameter.hasPrefix("q") {
            let value = parameter.dropFirst().trimmed
            guard value.hasPrefix("="), let weight = Double(value.dropFirst().trimmed) else { return 0 }
            return (0...1).contains(weight) ? weight : 0
        }
        return 1
    }
}

extension Substring {
    /// The text without leading and trailing spaces and tabs.
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

/// Compresses one body (RFC 1952), piece by piece. Each stream takes 256 KiB of memory.
final class GzipStream {
    /// At this level, results shrink to between an eighth and a seventh of their size. Level 6 would save another 5 % but use a third more CPU time.
    private static let level: Int32 = 4
    /// 15 for a window of 32 KiB, plus 16 for a gzip header (zlib.h, `deflateInit2`).
    private static let windowBits: Int32 = 15 + 16
    private static let memoryLevel: Int32 = 8

    /// zlib's stream, in memory of its own, because zlib stores its address.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates zlib's stream; nil if that fails, for example for lack of memory.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream, Self.level, Z_DEFLATED, Self.windowBits, Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { return nil }
    }

    deinit {
        // This is harmless for a stream that could not be initialized.
        deflateEnd(stream)
        stream.deallocate()
    }

    /// The bytes that are ready after this piece; there may be none.
    func compress(_ piece: ByteBuffer) -> ByteBuffer { deflate(piece, Z_NO_FLUSH) }

    /// Compresses the last piece, and returns all remaining bytes.
    func finish(_ piece: ByteBuffer = ByteBuffer()) -> ByteBuffer { deflate(piece, Z_FINISH) }

    private func deflate(_ piece: ByteBuffer, _ flush: Int32) -> ByteBuffer {
        var piece = piece
        var compressed = ByteBuffer()
        piece.readWithUnsafeMutableReadableBytes { input in
            stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                compressed.writeWithUnsafeMutableBytes(minimumWritableBytes: max(1_024, input.count / 4)) { output in
                    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    stream.pointee.avail_out = UInt32(output.count)
                    CZlib.deflate(stream, flush)
                    return output.count - Int(stream.pointee.avail_out)
                }
            } while stream.pointee.avail_out == 0
            stream.pointee.next_in = nil
            stream.pointee.next_out = nil
            return input.count
        }
        return compressed
    }
}
