import Testing
@testable import BookstrackCLI

@Suite("Sizes")
struct ByteCountTests {
    @Test(
        "a size is shown in its largest unit",
        arguments: [
            (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (10_240, "10 KiB"), (1_048_575, "1023 KiB"),
            (1_048_576, "1.0 MiB"), (256 << 20, "256 MiB"), (5 << 30, "5.0 GiB"),
        ])
    func text(bytes: Int, text: String) {
        #expect(ByteCount.text(bytes) == text)
    }
}

@Suite("Durations")
struct TimeSpanTextTests {
    @Test(
        "a duration is shown in its two largest units",
        arguments: [
            (0, "0 s"), (999, "0 s"), (1_000, "1 s"), (59_999, "59 s"), (60_000, "1 min"), (61_000, "1 min 1 s"),
            (3_600_000, "1 h"), (7_500_000, "2 h 5 min"), (86_400_000, "1 d"), (93_600_000, "1 d 2 h"),
            (86_460_000, "1 d"), (-5, "0 s"),
        ])
    func text(milliseconds: Int64, text: String) {
        #expect(TimeSpanText.text(milliseconds: milliseconds) == text)
    }
}

@Suite("Numbers from a server")
struct ServerNumberTests {
    @Test(
        "a number becomes the nearest `Int`, and NaN becomes 0",
        arguments: [
            (2.4, 2), (-2.6, -3), (1e300, .max), (-1e300, .min), (.infinity, .max), (.nan, 0),
        ] as [(Double, Int)])
    func nearest(value: Double, integer: Int) {
        #expect(Int(nearest: value) == integer)
    }

    @Test(
        "a sum beyond a limit of `Int` becomes that limit",
        arguments: [(2, -3, -1), (.max, 1, .max), (.min, -1, .min), (.max, .min, -1)] as [(Int, Int, Int)])
    func sums(first: Int, second: Int, sum: Int) {
        #expect(first.addingClamped(second) == sum)
    }

    @Test(
        "any year is shown, and a negative one as BCE",
        arguments: [(1_965, "1965"), (-44, "44 BCE"), (.min, "9223372036854775808 BCE")] as [(Int, String)])
    func years(year: Int, text: String) {
        #expect(YearText.text(year) == text)
    }
}
