/// Dates as Open Library's cataloguers write them.
enum PublicationDate {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// The last number of four digits.
    static func year(_ date: String) -> Int? {
        date.split { !$0.isNumber }.last { $0.count == 4 }.flatMap { Int($0) }
    }

    /// `2003-09-01` becomes "September 1, 2003", `2003-09` "September 2003"; everything else stays.
    static func inWords(_ date: String) -> String {
        let parts = date.split(separator: "-").compactMap { Int($0) }
        guard parts.count >= 2, months.indices.contains(parts[1] - 1) else { return date }
        let month = months[parts[1] - 1]
        return parts.count == 3 ? "\(month) \(parts[2]), \(parts[0])" : "\(month) \(parts[0])"
    }
}
