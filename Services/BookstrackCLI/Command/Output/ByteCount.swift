/// Sizes for people.
enum ByteCount {
    private static let units = ["KiB", "MiB", "GiB", "TiB"]

    /// Bytes in the largest unit of which there is one, with a decimal below ten.
    static func text(_ bytes: Int) -> String {
        guard bytes >= 1_024 else { return "\(bytes) B" }
        var tenths = bytes * 10 / 1_024
        var unit = 0
        while tenths >= 10_240, unit < units.count - 1 {
            tenths /= 1_024
            unit += 1
        }
        return (tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)") + " \(units[unit])"
    }
}
