/// Spans of time for people, in their two largest units.
enum TimeSpanText {
    private static let units: [(name: String, seconds: Int)] = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]

    /// For example "2 h 5 min", or "12 s". A negative span, of clocks that differ, is none.
    static func text(milliseconds: Int64) -> String {
        let seconds = max(0, Int(milliseconds / 1_000))
        guard let largest = units.firstIndex(where: { seconds >= $0.seconds }) else { return "0 s" }
        let (count, rest) = seconds.quotientAndRemainder(dividingBy: units[largest].seconds)
        let head = "\(count) \(units[largest].name)"
        guard largest + 1 < units.count, rest >= units[largest + 1].seconds else { return head }
        return head + " \(rest / units[largest + 1].seconds) \(units[largest + 1].name)"
    }
}
