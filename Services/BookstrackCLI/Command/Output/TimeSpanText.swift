/// Spans of time for people, in their two largest units.
enum TimeSpanText {
    private static let units: [(name: String, seconds: Int)] = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]

    /// For example "2 h 5 min", or "12 s". A negative span, of clocks that differ, is none.
    static func text(milliseconds: Int64) -> String {
        let (head, largest, rest) = parts(milliseconds)
        guard largest + 1 < units.count, rest >= units[largest + 1].seconds else { return head }
        return head + " \(rest / units[largest + 1].seconds) \(units[largest + 1].name)"
    }

    /// The largest unit alone, for columns of tables: "2 h".
    static func roughly(milliseconds: Int64) -> String { parts(milliseconds).head }

    /// The largest unit with its count, its place among the units, and the seconds beyond it.
    private static func parts(_ milliseconds: Int64) -> (head: String, unit: Int, rest: Int) {
        let seconds = max(0, Int(milliseconds / 1_000))
        let largest = units.firstIndex { seconds >= $0.seconds } ?? units.count - 1
        let (count, rest) = seconds.quotientAndRemainder(dividingBy: units[largest].seconds)
        return ("\(count) \(units[largest].name)", largest, rest)
    }
}
