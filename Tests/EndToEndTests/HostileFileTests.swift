import BookstrackContract
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import SuiteFixture
import Testing
import WireClient

@Suite("Hostile import files", .serialized)
struct HostileFileTests {
    /// The outcome of a file's import.
    private enum Ending: Equatable {
        /// Refused before a job exists.
        case refused(Int, APIErrorCode?)
        /// Ended by the job's `error` frame, with this inner code.
        case failed(String)
        case completed(books: Int)
    }

    private struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: @Sendable () -> [UInt8]
        let ending: Ending

        init(_ name: String, _ ending: Ending, _ bytes: @escaping @Sendable () -> [UInt8]) {
            (testDescription, self.ending, self.bytes) = (name, ending, bytes)
        }

        init(_ name: String, _ ending: Ending, text: @escaping @Sendable () -> String) {
            self.init(name, ending) { Array(text().utf8) }
        }
    }

    private static let unusable = Ending.failed("CSV_PARSE_ERROR")
    private static let otherType = Ending.refused(415, .unsupportedMediaType)
    private static let megabyte = 1 << 20

    private static let cases = [
        Case("a zip archive", otherType) { Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: megabyte) },
        Case("a gzip archive", otherType) { [0x1F, 0x8B, 8, 0] + [UInt8](repeating: 0xFF, count: megabyte) },
        Case("a PDF", otherType, text: { "%PDF-1.7\n" + String(repeating: "x", count: megabyte) }),
        Case("an empty file", .refused(400, .invalidRequest)) { [] },
        Case("a file over the limit", .refused(413, .fileTooLarge)) { [UInt8](repeating: 97, count: 11 * megabyte) },
        Case("a line of 9 MiB", unusable) { [UInt8](repeating: 97, count: 9 * megabyte) },
        Case("a million columns", unusable, text: { "Title" + String(repeating: ",a", count: 1_000_000) + "\nDune\n" }),
        Case(
            "a row with a million columns", unusable,
            text: { "Title,Author\nDune" + String(repeating: ",a", count: 1_000_000) + "\n" }),
        Case(
            "a million columns without a name", .completed(books: 1),
            text: { "Title" + String(repeating: ",", count: 1_000_000) + "\nDune\n" }),
        Case("nothing but NULs", unusable) { [UInt8](repeating: 0, count: megabyte) },
        Case(
            "a row with NULs", .completed(books: 2),
            text: { "Title,Author\nDu\u{0}ne,Frank \u{0}Herbert\nEmma,Jane Austen\n" }),
        Case("two million quotes", unusable, text: { "Title,Author\n" + String(repeating: "\"", count: 2_000_001) }),
        Case(
            "quotes that never end", .completed(books: 3),
            text: { "Title,Author\n\"Dune,Frank Herbert\nEmma,Jane Austen\nUlysses,James Joyce\n" }),
        Case("a header alone", unusable, text: { "Title,Author,ISBN13\n" }),
        Case("no usable column", unusable, text: { "Prijs,Aantal\n3,4\n5,6\n" }),
        Case("nested JSON", unusable, text: { String(repeating: "[", count: megabyte) }),
        Case(
            "50 001 rows", .failed("BATCH_TOO_LARGE"),
            text: { "Title\n" + (1...50_001).map { "Book \($0)\n" }.joined() }),
        Case("UTF-16 without a byte order mark", .completed(books: 2)) {
            "Title,Author\nDune,Frank Herbert\nEmma,Jane Austen\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        },
    ]

    @Test("each file is refused with a 4xx or processed by a job, and leaves nothing behind")
    func endings() async throws {
        try await SuiteFixture.Suite.run { suite in
            for hostile in Self.cases {
                let ending = try await Self.end(of: hostile.bytes(), on: suite)
                #expect(ending == hostile.ending, "\(hostile.testDescription)")
                #expect(try await Self.isEmpty(suite), "\(hostile.testDescription)")
            }
            let exposition = try await Exposition.scrape(suite)
            #expect(exposition["bookstrack_imports_open", [:]] == 0)
            #expect(exposition["bookstrack_upload_folder_bytes", [:]] == 0)
            #expect(exposition["bookstrack_reading_steps_lost_total", [:]] == 0)
        }
    }

    @Test("a preview of a file whose import would fail is refused with a 4xx")
    func previews() async throws {
        try await SuiteFixture.Suite.run { suite in
            for hostile in Self.cases {
                var answer = try await Self.upload(hostile.bytes(), to: "/v1/csv/preview", on: suite)
                // A preview that takes too long, because the machine is busy, is refused with 503 and can be repeated.
                for _ in 0..<5 where answer.status == 503 {
                    try await Task.sleep(for: .seconds(1))
                    answer = try await Self.upload(hostile.bytes(), to: "/v1/csv/preview", on: suite)
                }
                switch hostile.ending {
                case .refused(let status, _): #expect(answer.status == status, "\(hostile.testDescription)")
                case .failed(let code):
                    #expect(answer.status == 400, "\(hostile.testDescription)")
                    #expect(APIRefusal(answer).code?.rawValue == code, "\(hostile.testDescription)")
                case .completed: #expect(answer.status == 200, "\(hostile.testDescription)")
                }
            }
            #expect(try await Self.isEmpty(suite))
        }
    }

    @Test("a chunked line of 1 GiB is refused once it is too long, and most of it is never sent")
    func endlessLine() async throws {
        try await SuiteFixture.Suite.run { suite in
            let upload = ChunkedUpload()
            let sent = try await upload.run(bytes: 1 << 30, to: suite.address)
            let answer = await upload.answer
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
            #expect(answer.contains("FILE_TOO_LARGE"))
            #expect(sent < 256 << 20)
            #expect(try await Self.isEmpty(suite))
        }
    }

    private static func upload(
        _ bytes: [UInt8], to path: String, on suite: SuiteFixture.Suite
    ) async throws -> HTTPAnswer {
        try await suite.http.send(
            HTTPCall(
                .POST, path, headers: ["Content-Type": "text/csv"], body: ByteBuffer(bytes: bytes),
                timeout: .seconds(60)))
    }

    private static func end(of bytes: [UInt8], on suite: SuiteFixture.Suite) async throws -> Ending? {
        let answer = try await upload(bytes, to: "/v1/csv/import?filename=library.csv", on: suite)
        guard answer.status == 202 else { return .refused(answer.status, APIRefusal(answer).code) }
        let started = try JSONDecoder().decode(SuccessEnvelope<StartedImport>.self, from: Data(answer.text.utf8)).data
        var watcher = Watcher(suite, started)
        try await watcher.watch()
        switch watcher.endings.first {
        case .failed(let payload):
            #expect(payload.code == .csvProcessingFailed)
            return .failed(payload.error.code)
        case .completed: return .completed(books: try await suite.api.importResults(of: started.jobId).books.count)
        default: return nil
        }
    }

    /// Waits until no uploads are left; returns false if some remain.
    private static func isEmpty(_ suite: SuiteFixture.Suite) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while !ImportTests.uploads(of: suite).isEmpty {
            guard ContinuousClock.now < deadline else { return false }
            try await Task.sleep(for: .milliseconds(20))
        }
        return true
    }
}

/// Sends one endless line as a chunked body, until a response arrives.
private actor ChunkedUpload {
    private static let chunk = 1 << 20

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let received: NIOLockedValueBox<ByteBuffer>

        init(_ received: NIOLockedValueBox<ByteBuffer>) { self.received = received }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let piece = unwrapInboundIn(data)
            _ = received.withLockedValue { $0.writeImmutableBuffer(piece) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }

    private let received = NIOLockedValueBox(ByteBuffer())

    /// The server's response so far.
    var answer: String { received.withLockedValue { String(buffer: $0) } }

    /// Returns how many bytes were sent before the response.
    func run(bytes: Int, to address: ServerAddress) async throws -> Int {
        let received = received
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Reader(received))
                }
            }
            .connect(host: address.host, port: address.port).get()
        try await channel.writeAndFlush(
            ByteBuffer(string: "POST /v1/csv/import HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"))
        var chunk = ByteBuffer(string: "\(String(Self.chunk, radix: 16))\r\n")
        chunk.writeRepeatingByte(UInt8(ascii: "a"), count: Self.chunk)
        chunk.writeString("\r\n")
        var sent = 0
        while sent < bytes, answer.isEmpty {
            guard (try? await channel.writeAndFlush(chunk)) != nil else { break }
            sent += Self.chunk
        }
        try? await channel.closeFuture.get()
        return sent
    }
}
