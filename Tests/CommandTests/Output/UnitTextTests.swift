import Foundation
import Testing

@testable import BookstrackCLI

@Suite("Sizes")
struct ByteCountTests {
    @Test(
        "a size is shown in its largest unit and, unless that is bytes, with one decimal place below 10 units",
        arguments: [
            (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_536, "1.5 KiB"), (10_239, "9.9 KiB"),
            (10_240, "10 KiB"), (1_048_575, "1023 KiB"), (1_048_576, "1.0 MiB"), (256 << 20, "256 MiB"),
            (5 << 30, "5.0 GiB"), (1 << 40, "1.0 TiB"), (5_000 << 40, "5000 TiB"),
        ])
    func text(bytes: Int, text: String) {
        #expect(ByteCount.text(bytes) == text)
    }
}

@Suite("Durations and times")
struct TimeTextTests {
    @Test(
        "a duration is shown in its two largest units",
        arguments: [
            (0, "0 s"), (999, "0 s"), (1_000, "1 s"), (59_999, "59 s"), (60_000, "1 min"), (61_000, "1 min 1 s"),
            (3_600_000, "1 h"), (7_500_000, "2 h 5 min"), (86_400_000, "1 d"), (93_600_000, "1 d 2 h"),
            (86_460_000, "1 d"), (-5, "0 s"),
        ])
    func spans(milliseconds: Int64, text: String) {
        #expect(TimeSpanText.text(milliseconds: milliseconds) == text)
    }

    @Test(
        "a rough duration is given only in its largest unit",
        arguments: [
            (0, "0 s"), (59_999, "59 s"), (60_000, "1 min"), (3_599_999, "59 min"), (3_600_000, "1 h"),
            (86_399_999, "23 h"), (93_600_000, "1 d"), (-1, "0 s"),
        ])
    func rough(milliseconds: Int64, text: String) {
        #expect(TimeSpanText.roughly(milliseconds: milliseconds) == text)
    }

    @Test(
        "a measured duration takes at most seven columns, in a unit that suits its length",
        arguments: [
            (0, "0.00 ms"), (0.25, "0.25 ms"), (0.999, "1.00 ms"), (1, "1.0 ms"), (9.94, "9.9 ms"), (10, "10 ms"),
            (999.4, "999 ms"), (999.5, "1.00 s"), (59_994, "59.99 s"), (59_995, "60 s"), (3_599_499, "3599 s"),
            (3_599_500, "1.0 h"), (360_000_000, "100.0 h"), (3_599_819_999, "999.9 h"), (3_599_820_000, "1000 h"),
            (1e300, "99999 h"), (-60_000, "0.00 ms"),
        ])
    func durations(milliseconds: Double, text: String) {
        #expect(DurationText.of(milliseconds: milliseconds) == text)
        #expect(text.count <= 7)
    }

    @Test(
        "a clock time includes milliseconds and is shown in the given time zone",
        arguments: [
            (0, "14:03:59.042", "2026-11-21"), (3_600, "15:03:59.042", "2026-11-21"),
            (-36_000, "04:03:59.042", "2026-11-21"), (19_800, "19:33:59.042", "2026-11-21"),
            (43_200, "02:03:59.042", "2026-11-22"),
        ])
    func clocks(offset: Int, clock: String, day: String) throws {
        let time = LocalTime(zone: try #require(TimeZone(secondsFromGMT: offset)))
        #expect(time.clock(1_795_269_839_042) == clock)
        #expect(time.day(1_795_269_839_042) == day)
    }

    @Test("times before 1970 are shown, too")
    func before1970() {
        #expect(LocalTime(zone: .gmt).clock(-1) == "23:59:59.999")
        #expect(LocalTime(zone: .gmt).day(-1) == "1969-12-31")
    }

    @Test(
        "any year is shown, and a negative one as BCE",
        arguments: [(1_965, "1965"), (0, "0"), (-1, "1 BCE"), (-750, "750 BCE"), (.min, "9223372036854775808 BCE")]
            as [(Int, String)])
    func years(year: Int, text: String) {
        #expect(YearText.text(year) == text)
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
}
