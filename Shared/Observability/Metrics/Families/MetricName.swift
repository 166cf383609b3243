/// The name of a family: lower-case words and digits joined by underscores, the unit last, `_total` after it for counters
/// (https://prometheus.io/docs/practices/naming).
package struct MetricName: Sendable, Hashable, ExpressibleByStringLiteral {
    package let text: String

    /// Written down in the source and therefore valid.
    package init(stringLiteral text: StaticString) {
        self.text = "\(text)"
        precondition(Self.isValid(self.text), "\(text) is no name of a metric")
    }

    private static func isValid(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}
