import Foundation

/// What Foundation's `JSONSerialization` makes of a text, and where its notion of JSON is another one.
struct ReferenceParser {
    enum Verdict {
        case accepted(Any)
        case refused
        /// The two do not mean the same: the cursor must do what the payload says, or may do as it likes when nil.
        case differs(cursorAccepts: Bool?)
    }

    /// - A byte order mark, UTF-16 and UTF-32 are read by Foundation. Frames are UTF-8 without mark: the cursor refuses.
    /// - One comma behind the last element is let through by Foundation. RFC 8259 has none: the cursor refuses.
    /// - A byte order mark at the start of a string is dropped by Foundation. RFC 8259 §8.1 knows one at the start of the text only: it is kept.
    /// - A number beyond `Double` is refused by Foundation. The cursor checks grammar only.
    /// - A name given twice counts as given last in both, both refuse half a surrogate pair, and both draw the depth
    ///   limit at 512.
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

    /// Whether a comma outside of strings stands before a closing bracket, in a text whose strings are well formed.
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
