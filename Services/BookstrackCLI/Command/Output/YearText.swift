/// Years for people.
enum YearText {
    /// A year; negative ones are before the common era.
    static func text(_ year: Int) -> String { year < 0 ? "\(-year) BCE" : "\(year)" }
}
