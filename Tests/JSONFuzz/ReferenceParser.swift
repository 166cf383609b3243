import Foundation

/// The verdict of Foundation's `JSONSerialization` on a text, and the known differences between it and the cursor.
struct ReferenceParser {
    enum Verdict {
        case accepted(Any)
        case refused
        /// A known difference: `cursorAccepts` states whether the cursor must accept the text; if it is nil, the cursor may do either.
        case differs(cursorAccepts: Bool?)
    }

    /// The verdict on a text. Foundation and the cursor compare as follows:
    ///
    /// - Foundation accepts a byte order mark, UTF-16 and UTF-32. Frames are UTF-8 without a mark, so the cursor rejects
    ///   these.
    /// - Foundation accepts a trailing comma. RFC 8259 does not allow it, so the cursor rejects it.
    /// - Foundation drops a byte order mark at the start of a string. RFC 8259 §8.1 mentions one only at the start of the
    ///   text, so the cursor keeps it.
    /// - Foundation rejects a number beyond the range of `Double`. The cursor checks only the grammar.
    /// - Both use the last value of a repeated name, reject a lone surrogate, and limit the depth to 512.
    func verdict(on bytes: some Collection<UInt8>) -> Verdict {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) || bytes.prefix(4).contains(0) || bytes.starts(with: [0xFE, 0xFF])
            || bytes.starts(with: [0xFF, 0xFE])
        {
            return .differs(cursorAccepts: false)
        }
        do {
            let value = try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
            if hasTrailingComma(bytes) { return .differs(cursorAccepts: false) }
            return hasMarkedString(bytes) ? .differs(cursorAccepts: true) : .accepted(value)
        } catch {
            let reason = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? ""
            return reason.contains("is not representable") ? .differs(cursorAccepts: nil) : .refused
        }
    }

    /// Whether a byte order mark follows a quotation mark.
    private func hasMarkedString(_ bytes: some Collection<UInt8>) -> Bool {
        Data(bytes).firstRange(of: Data([UInt8(ascii: "\""), 0xEF, 0xBB, 0xBF])) != nil
    }

    /// Whether a comma outside strings precedes a closing bracket, in a text with well-formed strings.
    private func hasTrailingComma(_ bytes: some Collection<UInt8>) -> Bool {
        var isInString = false
        var isEscaped = false
        var isBehindComma = false
        for byte in bytes {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
            case UInt8(ascii: "]"), UInt8(ascii: "}"): if isBehindComma { return true }
            case UInt8(ascii: "\""): isInString = true
            default: break
            }
            isBehindComma = byte == UInt8(ascii: ",")
        }
        return false
    }
}
