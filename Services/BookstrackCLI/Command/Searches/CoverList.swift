import ServiceKit

/// Addresses of covers in full, numbered as the rows above them.
enum CoverList {
    /// Columns in which the beginning of an address says whose it is.
    static let least = 24

    static func lines(_ covers: [String?]) -> [String] {
        let digits = "\(covers.count)".count
        return ["", "Covers:", ""]
            + covers.enumerated().map { row, cover in
                String(repeating: " ", count: digits - "\(row + 1)".count) + "\(row + 1)  "
                    + TerminalText.line(cover ?? "none")
            }
    }
}
