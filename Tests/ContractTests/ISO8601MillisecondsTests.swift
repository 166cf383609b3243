import BookstrackContract
import Foundation
import TestSupport
import Testing

@Suite("ISO 8601 times")
struct ISO8601MillisecondsTests {
    private static let foundation = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    @Test(
        "known times are formatted as ISO 8601",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_763_236_800_000, "2025-11-15T20:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (253_402_300_800_000, "10000-01-01T00:00:00.000Z"),
            (-62_167_219_200_001, "-0001-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func known(milliseconds: Int64, text: String) {
        #expect(ISO8601Milliseconds.string(fromMilliseconds: milliseconds) == text)
    }

    @Test("formatted times equal Foundation's for times from 1700 to 9999", arguments: 0..<10)
    func againstFoundation(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            // Whole seconds and milliseconds are compared separately, because Foundation's Date cannot represent most milliseconds exactly.
            let seconds = Int64.random(in: -8_520_336_000...253_402_300_799, using: &random)
            let milliseconds = Int64.random(in: 0...999, using: &random)
            let expected = Date(timeIntervalSince1970: Double(seconds)).formatted(Self.foundation)
            let text = ISO8601Milliseconds.string(fromMilliseconds: seconds * 1_000 + milliseconds)
            #expect(text.dropLast(4) == expected.dropLast(4))
            #expect(text.suffix(4).dropLast() == String(milliseconds + 1_000).suffix(3))
        }
    }

    @Test("whole seconds are formatted without a fraction")
    func seconds() {
        #expect(ISO8601Milliseconds.string(fromSeconds: 1_763_236_800) == "2025-11-15T20:00:00Z")
        #expect(ISO8601Milliseconds.string(fromSeconds: -1) == "1969-12-31T23:59:59Z")
    }

    @Test("times at the limits of Int64 do not cause a crash")
    func extremes() {
        #expect(!ISO8601Milliseconds.string(fromMilliseconds: .max).isEmpty)
        #expect(!ISO8601Milliseconds.string(fromMilliseconds: .min).isEmpty)
        #expect(!ISO8601Milliseconds.string(fromSeconds: .max).isEmpty)
        #expect(!ISO8601Milliseconds.string(fromSeconds: .min).isEmpty)
    }
}
