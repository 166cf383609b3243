import Testing

@testable import BookstrackCLI

@Suite("Spans of time")
struct TimeSpanTextTests {
    @Test(
        "are told in their two largest units",
        arguments: [
            (0, "0 s"), (999, "0 s"), (1_000, "1 s"), (59_999, "59 s"), (60_000, "1 min"), (61_000, "1 min 1 s"),
            (3_600_000, "1 h"), (7_500_000, "2 h 5 min"), (86_400_000, "1 d"), (93_600_000, "1 d 2 h"),
            (86_460_000, "1 d"), (-5, "0 s"),
        ])
    func text(milliseconds: Int64, text: String) {
        #expect(TimeSpanText.text(milliseconds: milliseconds) == text)
    }
}
