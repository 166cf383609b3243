import Foundation

/// The header of one part of a form (RFC 7578 §4).
struct PartHeader: Equatable {
    /// The form's name for the part; nil if the header has none.
    var name: String?
    /// The client's name for the file, decoded but otherwise unchanged; nil if there is none.
    var fileName: String?

    /// A header with a name, and with `fileName` if the part is a file.
    init(name: String?, fileName: String? = nil) {
        self.name = name
        self.fileName = fileName
    }

    /// Values of `Content-Transfer-Encoding` with which the content is sent as it is (RFC 2045 §6.2).
    private static let plainEncodings: Set<String> = ["", "7bit", "8bit", "binary"]

    /// Reads the lines of a header, each with its line break. Throws ``MultipartFault/encoded`` if the content is encoded, which RFC 7578 §4.7
    /// deprecates.
    init(_ bytes: some Collection<UInt8>) throws(MultipartFault) {
        // Maps each byte to one character, since a field's value need not be UTF-8.
        let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        for line in text.components(separatedBy: "\r\n") where !line.isEmpty {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { throw .malformedHeader }
            let value = HeaderValue(line[line.index(after: colon)...])
            switch line[..<colon].lowercased() {
            case "content-disposition":
                name = value["name"].map(Self.unescaped)
                fileName = value["filename*"].flatMap(Self.extended) ?? value["filename"].map(Self.unescaped)
            case "content-transfer-encoding" where !Self.plainEncodings.contains(value.value): throw .encoded
            default: break
            }
        }
    }

    /// Decodes a name as browsers send it: UTF-8, in which `"`, CR and LF are percent-encoded (https://html.spec.whatwg.org/#multipart-form-data).
    private static func unescaped(_ text: String) -> String {
        decoded(text.unicodeScalars.compactMap { UInt8(exactly: $0.value) })
            .replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }

    /// Decodes the value of `filename*` (RFC 8187 §3.2), which RFC 7578 §4.2 forbids but some clients send; nil if it is malformed or if its charset
    /// is neither UTF-8 nor ISO-8859-1.
    private static func extended(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        switch parts[0].lowercased() {
        case "utf-8": return parts[2].removingPercentEncoding
        case "iso-8859-1": return isoLatin1(parts[2])
        default: return nil
        }
    }

    private static func isoLatin1(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Decodes UTF-8; if that fails, maps each byte to one character.
    private static func decoded(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

/// A field's value with parameters: `form-data; name="file"; filename="a.csv"` (RFC 9110 §5.6.6).
struct HeaderValue {
    /// The text before the first semicolon, in lower case.
    let value: String
    private var parameters: [String: String] = [:]

    init(_ field: some StringProtocol) {
        var rest = Substring(field)
        value = Self.token(&rest).lowercased()
        while rest.popFirst() != nil {
            let name = Self.token(&rest, endsAt: "=;").lowercased()
            guard rest.first == "=" else { continue }
            rest.removeFirst()
            let text = Self.text(&rest)
            // If a name is repeated, the first value is used.
            if !name.isEmpty, parameters[name] == nil { parameters[name] = text }
        }
    }

    /// A parameter by its lower-case name; nil if there is none.
    subscript(name: String) -> String? { parameters[name] }

    /// Consumes a string up to a delimiter, without the delimiter.
    private static func token(_ rest: inout Substring, endsAt delimiters: String = ";") -> String {
        let text = rest.prefix { !delimiters.contains($0) }
        rest = rest[text.endIndex...]
        return text.trimmingCharacters(in: .whitespaces)
    }

    /// Consumes a token or a quoted string, and everything up to the next semicolon, without the semicolon.
    private static func text(_ rest: inout Substring) -> String {
        let start = rest.drop { $0 == " " || $0 == "\t" }
        guard start.first == "\"" else { return token(&rest) }
        rest = start.dropFirst()
        var text = ""
        while let character = rest.popFirst(), character != "\"" {
            // Only `\"` and `\\` are escapes, because old browsers send Windows paths unescaped.
            if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
                text.append(next)
                rest.removeFirst()
            } else {
                text.append(character)
            }
        }
        _ = token(&rest)
        return text
    }
}

/// The name of a client's file for display; it is never used as a path on this machine.
enum ShownFileName {
    /// Maximum length of a name that is shown, in characters.
    static let longest = 200

    /// The last path component of a client's file name (RFC 7578 §4.2), without invisible characters and truncated to ``longest``; nil if nothing or
    /// only dots are left.
    static func shown(_ sent: String) -> String? {
        let last = sent.split(omittingEmptySubsequences: true) { $0 == "/" || $0 == "\\" }.last ?? ""
        let visible = last.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        let name = String(String(String.UnicodeScalarView(visible)).prefix(longest))
            .trimmingCharacters(in: .whitespaces)
        return name.isEmpty || name.allSatisfy { $0 == "." } ? nil : name
    }
}
