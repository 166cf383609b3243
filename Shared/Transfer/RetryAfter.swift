internal import CCurlShim
package import Foundation

/// Reads the `Retry-After` header (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The wait that a header value asks for: seconds, or an HTTP date in any of the three forms.
    /// - Parameter date: the calendar time that an HTTP date is compared with; a past one means no wait.
    /// - Returns: nil for anything else, so that the caller falls back to its own back-off.
    package static func delay(_ value: String, at date: Date) -> Duration? {
        let text = value.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // More digits than fit mean a wait without end.
            return .seconds(Int32(text) ?? .max)
        }
        guard text.contains(":"), case let time = curl_getdate(text, nil), time >= 0 else { return nil }
        return .seconds(max(0, (Double(time) - date.timeIntervalSince1970).rounded(.up)))
    }
}
