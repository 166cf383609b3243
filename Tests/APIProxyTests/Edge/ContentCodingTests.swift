import CZlib
import NIOCore
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Response compression") struct ContentCodingTests {
    private static let path = "/v1/jobs/job-12345/results"
    /// Two pages, each above the compression threshold.
    private static let rows = (0..<2).map { page in
        (0..<20).map { #"{"isbn":"\#(page)-\#($0)","title":"A title that rows have in common","success":true}"# }
    }
    private static let gzip = "Accept-Encoding: gzip"

    private struct Damaged: Error {
        var status: Int32
    }

    private static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        guard inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw Damaged(status: Z_MEM_ERROR)
        }
        defer { inflateEnd(&stream) }
        var (input, output) = (bytes, [UInt8](repeating: 0, count: 4 << 20))
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                return inflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { throw Damaged(status: status) }
        return Array(output[..<Int(stream.total_out)])
    }

    private static func varies(_ answer: HTTPAnswer) -> Bool {
        answer.fields.contains { $0.name == "vary" && $0.value == "Accept-Encoding" }
    }

    @Test(
        "gzip is chosen if the client prefers it at least as much as no coding",
        arguments: [
            ("gzip", true), ("GZIP ; Q=0.5", true), ("x-gzip", true), ("*", true), ("br, gzip;q=0.1", true),
            ("deflate, br", false), ("gzip;q=0", false), ("gzip;q=0.000, *", false), ("identity, gzip;q=0.5", false),
            ("gzip;q=0.5, identity;q=0.5", true), ("*;q=0", false), ("gzip;q=2", false), ("gzip;q=x", false),
            ("", false),
            ("identity;q=0", false), ("gzipped", false),
        ])
    func weights(field: String, expected: Bool) {
        #expect(ContentCoding.prefersGzip(field.lowercased()) == expected)
        #expect(ContentCoding.prefersGzip(field) == expected)
    }

    @Test(
        "a compressed router response has the same text as an uncompressed one", arguments: ["/openapi.json", "/docs"])
    func router(path: String) async throws {
        try await RunningProxy.run { proxy in
            let plain = try await proxy.request("GET", path)
            let packed = try await proxy.request("GET", path, fields: [Self.gzip])
            #expect(plain["content-encoding"] == nil)
            #expect(packed["content-encoding"] == "gzip")
            #expect(packed["content-length"] == "\(packed.body.count)")
            #expect(packed.body.count < plain.body.count / 2)
            #expect(try Self.unpacked(packed.body) == plain.body)
            #expect(Self.varies(plain))
            #expect(Self.varies(packed))
        }
    }

    @Test("compressed results contain the same rows, in one page or several", arguments: [1, 2])
    func results(pages: Int) async throws {
        try await RunningProxy.run(script: .init(rows: Array(Self.rows.prefix(pages)))) { proxy in
            let plain = try await proxy.request("GET", Self.path)
            let packed = try await proxy.request("GET", Self.path, fields: [Self.gzip])
            #expect(packed["content-encoding"] == "gzip")
            #expect(packed["etag"] == plain["etag"])
            let rows = "[" + Self.rows.prefix(pages).joined().joined(separator: ",") + "]"
            let text = String(decoding: try Self.unpacked(packed.body), as: UTF8.self)
            #expect(text.contains(rows))
            #expect(String(decoding: plain.body, as: UTF8.self).contains(rows))
            #expect(Self.varies(plain))
            let known = try await proxy.request(
                "GET", Self.path, fields: [Self.gzip, "If-None-Match: \(plain["etag"] ?? "")"])
            #expect(known.status == 304)
            #expect(Self.varies(known))
            #expect(known["content-encoding"] == nil)
        }
    }

    @Test(
        "HEAD returns the header fields of the compressed response, including its length if it is known in advance",
        arguments: [("/openapi.json", true), ("/docs", true), (path, false)])
    func head(path: String, hasLength: Bool) async throws {
        try await RunningProxy.run(script: .init(rows: Self.rows)) { proxy in
            let whole = try await proxy.request("GET", path, fields: [Self.gzip])
            let answer = try await proxy.request("HEAD", path, fields: [Self.gzip])
            #expect(answer.status == 200)
            #expect(answer["content-encoding"] == "gzip")
            #expect(answer["content-length"] == whole["content-length"])
            #expect((answer["content-length"] != nil) == hasLength)
            #expect(Self.varies(answer))
        }
    }

    @Test("an HTTP/1.0 client receives compressed pages, whose end is marked by the end of the connection")
    func olderHTTP() async throws {
        try await RunningProxy.run(script: .init(rows: Self.rows)) { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send("GET \(Self.path) HTTP/1.0\r\n\(Self.gzip)\r\n\r\n")
            let answer = try HTTPAnswer(try await connection.readToEnd())
            let text = String(decoding: try Self.unpacked(answer.body), as: UTF8.self)
            #expect(text.hasSuffix(#""success":true}"#))
        }
    }

    @Test("short responses are sent uncompressed", arguments: ["/health/live", "/nowhere"])
    func short(path: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("GET", path, fields: [Self.gzip])
            #expect(answer["content-encoding"] == nil)
            #expect(!Self.varies(answer))
        }
    }

    @Test("events are sent uncompressed")
    func events() async throws {
        try await RunningProxy.run { proxy in
            let client = try await EventStreamClient(
                port: proxy.port, "/v1/jobs/job-12345/events", token: "t", fields: [Self.gzip])
            #expect(try await client.head()["content-encoding"] == nil)
        }
    }

    @Test("a body compressed in pieces of different sizes can be decompressed as a whole")
    func pieces() throws {
        var text = [UInt8]()
        var packed = [UInt8]()
        let stream = try #require(GzipStream())
        for length in [0, 1, 70_000, 3, 300_000] {
            let piece = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 7) }
            text += piece
            packed += Array(stream.compress(ByteBuffer(bytes: piece)).readableBytesView)
        }
        packed += Array(stream.finish().readableBytesView)
        #expect(try Self.unpacked(packed) == text)
    }
}
