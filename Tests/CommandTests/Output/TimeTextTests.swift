import Foundation
import Testing

@testable import BookstrackCLI

@Suite("Times and durations")
struct TimeTextTests {
    @Test(
        "a duration takes at most seven columns, in a unit that suits its length",
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
        "a rough duration is given only in its largest unit",
        arguments: [
            (0, "0 s"), (59_999, "59 s"), (60_000, "1 min"), (3_599_999, "59 min"), (3_600_000, "1 h"),
            (93_600_000, "1 d"), (-1, "0 s"),
        ])
    func rough(milliseconds: Int64, text: String) {
        #expect(TimeSpanText.roughly(milliseconds: milliseconds) == text)
    }

    @Test(
        "a clock time includes milliseconds and is shown in the given time zone",
        arguments: [
            (0, "14:03:59.042", "2026-11-21"), (3_600, "15:03:59.042", "2026-11-21"),
            (-36_000, "04:03:59.042", "2026-11-21"),
            (43_200, "02:03:59.042", "2026-11-22"),
        ])
    func clocks(offset: Int, clock: String, day: String) throws {
        let time = LocalTime(zone: try #require(TimeZone(secondsFromGMT: offset)))
        #expect(time.clock(1_795_269_839_042) == clock)
        #expect(time.day(1_795_269_839_042) == day)
    }

    @Test(
        "years before the common era are marked",
        arguments: [(1965, "1965"), (0, "0"), (-1, "1 BCE"), (-750, "750 BCE")])
    func years(year: Int, text: String) {
        #expect(YearText.text(year) == text)
    }

    @Test(
        "sizes of less than 10 units have one decimal place, and the largest unit is TiB",
        arguments: [
            (1_536, "1.5 KiB"), (10_239, "9.9 KiB"), (1 << 40, "1.0 TiB"), (5_000 << 40, "5000 TiB"),
        ])
    func sizes(bytes: Int, text: String) {
        #expect(ByteCount.text(bytes) == text)
    }
}
