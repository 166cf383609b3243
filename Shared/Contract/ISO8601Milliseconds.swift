/// Times as the wire shows them: UTC with exactly three fractional digits, "2025-11-15T20:00:00.000Z" (http-api.md "Envelope").
public enum ISO8601Milliseconds {
    /// Formats milliseconds since 1970, by the civil-from-days algorithm of the proleptic Gregorian calendar.
    public static func string(fromMilliseconds milliseconds: Int64) -> String {
        let (seconds, inSecond) = milliseconds.quotientAndRemainder(flooringBy: 1_000)
        return "\(dateAndTime(seconds)).\(pad(inSecond, 3))Z"
    }

    /// Formats seconds since 1970 without a fraction, "2025-11-15T20:00:00Z", for the fields that the contract defines
    /// this way.
    public static func string(fromSeconds seconds: Int64) -> String { dateAndTime(seconds) + "Z" }

    private static func dateAndTime(_ seconds: Int64) -> String {
        let (days, second) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let date = civil(fromDays: days)
        var text = pad(Int64(date.year), 4)
        text += "-" + pad(Int64(date.month), 2) + "-" + pad(Int64(date.day), 2)
        text += "T" + pad(second / 3_600, 2) + ":" + pad(second / 60 % 60, 2) + ":" + pad(second % 60, 2)
        return text
    }

    /// Year, month and day of a count of days since 1970-01-01, through 400-year eras that begin on 1 March.
    private static func civil(fromDays days: Int64) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(flooringBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (Int(year), Int(month), Int(day))
    }

    private static func pad(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
