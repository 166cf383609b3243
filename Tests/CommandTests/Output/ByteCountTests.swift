import Testing

@testable import BookstrackCLI

@Suite("Sizes")
struct ByteCountTests {
    @Test(
        "a size is told in its largest unit",
        arguments: [
            (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (10_240, "10 KiB"), (1_048_575, "1023 KiB"),
            (1_048_576, "1.0 MiB"), (256 << 20, "256 MiB"), (5 << 30, "5.0 GiB"),
        ])
    func text(bytes: Int, text: String) {
        #expect(ByteCount.text(bytes) == text)
    }
}
