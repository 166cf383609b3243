/// Times in wire format: UTC, normally with exactly three fractional digits, "2025-11-15T20:00:00.000Z" (http-api.md "Envelope").
public enum ISO8601Milliseconds {
    /// Formats milliseconds since 1970, using the civil-from-days algorithm for the proleptic Gregorian calendar.
    public static func string(fromMilliseconds milliseconds: Int64) -> String {
        let (seconds, inSecond) = milliseconds.quotientAndRemainder(flooringBy: 1_000)
        return text { bytes in
            writeDateAndTime(seconds, to: &bytes)
            write(".", inSecond, 3, to: &bytes)
        }
    }

    /// Formats seconds since 1970 without a fraction, "2025-11-15T20:00:00Z", for fields that the contract defines in this form.
    public static func string(fromSeconds seconds: Int64) -> String { text { writeDateAndTime(seconds, to: &$0) } }

    /// Returns the text that `write` appends, followed by `Z`. Joining strings would be slower, and every enveloped response contains a time.
    private static func text(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        write(&bytes)
        bytes.append(UInt8(ascii: "Z"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func writeDateAndTime(_ seconds: Int64, to bytes: inout [UInt8]) {
        let (days, second) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let date = civil(fromDays: days)
        if date.year < 0 { bytes.append(UInt8(ascii: "-")) }
        writeDigits(Int64(date.year), 4, to: &bytes)
        write("-", Int64(date.month), 2, to: &bytes)
        write("-", Int64(date.day), 2, to: &bytes)
        write("T", second / 3_600, 2, to: &bytes)
        write(":", second / 60 % 60, 2, to: &bytes)
        write(":", second % 60, 2, to: &bytes)
    }

    /// Year, month and day for a number of days since 1970-01-01, calculated in 400-year eras that begin on March 1.
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

    private static func write(
        _ separator: Unicode.Scalar, _ value: Int64, _ width: Int, to bytes: inout [UInt8]
    ) {
        bytes.append(UInt8(ascii: separator))
        writeDigits(value, width, to: &bytes)
    }

    /// Writes a number's digits with leading zeros up to `width`.
    private static func writeDigits(_ value: Int64, _ width: Int, to bytes: inout [UInt8]) {
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0 || bytes.count - start < width
        bytes[start...].reverse()
    }
}

extension Int64 {
    fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
