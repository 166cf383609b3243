import BookstrackContract
import JSONRPC
import NIOCore
import TestSupport
import Testing

@testable import ProgressHost

@Suite("Frame encoding")
struct FrameEncodingTests {
    private static let hostile = [
        String(repeating: "x", count: 10_000), String(repeating: "🦊", count: 500),
        String(repeating: "👩‍👩‍👧‍👦", count: 200), "e" + String(repeating: "\u{301}", count: 5_000),
        String(repeating: "\u{1}", count: 500), String(repeating: "\"\\", count: 500),
        String(repeating: "\u{2028}", count: 500), String(repeating: "\u{0}", count: 500),
        String(repeating: "א", count: 500),
    ]

    @Test("a frame stays below 1 KiB whatever the titles and authors are", arguments: hostile)
    func below1KiB(text: String) throws {
        let id = JobID(String(repeating: "j", count: 64))!
        let counts = JobCounts(total: 10_000, succeeded: 4_999, failed: 4_999)
        let progress = try FrameEncoding.encode { limit in
            let title = limit.cut(text)
            return ServerFrame(
                jobId: id, pipeline: .batchEnrichment, timestamp: 1_700_000_000_000, seq: 99_999_999,
                payload: JobProgressPayload(
                    counts: counts, status: limit.cut(text), currentTitle: title,
                    currentItemDetails: .init(isbn: limit.cut(text), author: limit.cut(text)),
                    userMessage: StatusText.friendlyProgress(
                        title: title, found: true, processed: 9_998, total: 10_000),
                    estimatedTimeRemaining: 86_400, keepAlive: true))
        }
        #expect(progress.readableBytes < FrameEncoding.softLimit)
        let error = try FrameEncoding.encode { limit in
            ServerFrame(
                jobId: id, pipeline: .batchEnrichment, timestamp: 1_700_000_000_000, seq: 99_999_999,
                payload: JobErrorPayload(
                    code: .enrichmentFailed, message: "the job ran out of time before any book was looked up",
                    userMessage: "None of your books could be looked up just now. Please try again later.",
                    retryable: true, affectedItems: Array(repeating: limit.cut(text), count: 10),
                    details: .init(successCount: 0, failureCount: 10_000)))
        }
        #expect(error.readableBytes < FrameEncoding.softLimit)
    }

    @Test("a progress frame written by hand has the bytes of an encoded one", arguments: 0..<50)
    func byHand(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let texts = Self.hostile.map { FrameTextLimit(bytes: 40).cut($0) } + ["", "9780441478125", "Ursula K. Le Guin"]
        let total = Int.random(in: 0...3_000, using: &random)
        var counts = JobCounts(total: total, succeeded: Int.random(in: 0...total, using: &random))
        counts.failed = Int.random(in: 0...(total - counts.succeeded), using: &random)
        if Bool.random(using: &random) { counts.failures[.notFound] = counts.failed }
        let frame = ServerFrame(
            jobId: .random(), pipeline: Pipeline.allCases.randomElement(using: &random)!,
            timestamp: .random(in: 0...2_000_000_000_000, using: &random), seq: .random(in: 0...9_999, using: &random),
            payload: JobProgressPayload(
                counts: counts, status: texts.randomElement(using: &random)!,
                currentTitle: texts.randomElement(using: &random)!,
                currentItemDetails: .init(
                    isbn: Bool.random(using: &random) ? texts.randomElement(using: &random)! : nil,
                    author: Bool.random(using: &random) ? texts.randomElement(using: &random)! : nil),
                userMessage: texts.randomElement(using: &random)!,
                estimatedTimeRemaining: Bool.random(using: &random) ? .random(in: 0...9_999, using: &random) : nil,
                keepAlive: [nil, true, false].randomElement(using: &random)!))
        #expect(try String(buffer: ProgressFrameText.write(frame)) == String(buffer: BodyCoding.encode(frame)))
    }

    @Test("texts that fit are not touched; others are cut between characters with an ellipsis")
    func cut() {
        #expect(FrameTextLimit(bytes: 10).cut("0123456789") == "0123456789")
        #expect(FrameTextLimit(bytes: 10).cut("01234567890") == "0123456…")
        #expect(FrameTextLimit(bytes: 10).cut("🦊🦊🦊") == "🦊…")
        #expect(FrameTextLimit(bytes: 10).cut("👩‍👩‍👧‍👦 family") == "…")
        #expect(FrameTextLimit(bytes: 0).cut("abcdef") == "…")
        #expect(FrameTextLimit(bytes: 10).cut(nil) == nil)
    }

    @Test("a cut text never exceeds its limit and is a beginning of the whole", arguments: 0..<20)
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet: [Character] = ["a", "é", "e\u{301}", "🦊", "👩‍👩‍👧‍👦", "\u{0}", "字", "\n", "\r\n"]
        for _ in 0..<200 {
            let text = String(
                (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
            let limit = Int.random(in: 3...60, using: &random)
            let cut = FrameTextLimit(bytes: limit).cut(text)
            #expect(cut.utf8.count <= limit)
            #expect(cut == text || (cut.last == "…" && text.hasPrefix(cut.dropLast())))
        }
    }
}
