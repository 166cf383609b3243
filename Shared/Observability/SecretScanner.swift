/// Finds secrets in queries, JSON and messages: the values of secret parameters, credentials after their scheme, and the user information of URLs.
struct SecretScanner {
    /// Endings of secret names, in lower case.
    private static let endings: [StaticString] = [
        "token", "api_key", "api-key", "apikey", "password", "secret", "signature", "authorization", "jwt",
        "csrf",
    ]
    /// Secret names that are compared as a whole: those of Google's API keys, and of the signatures of signed URLs.
    private static let names: [StaticString] = ["key", "sig"]
    /// Names whose values are an identifier and its secret, `ID:SECRET` (streams.md "Many jobs on one stream").
    private static let pairs: [StaticString] = ["job"]
    /// Schemes of the `Authorization` field (RFC 9110 §11.6.2), in lower case.
    private static let schemes: [StaticString] = ["bearer", "basic"]

    private static let blanks = Array(" \t".utf8)
    /// Characters around a value in JSON, escaped JSON, and descriptions of Swift values.
    private static let wrapping = Array(" \t\\\"'[(".utf8)

    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    /// The end of the last value that was searched for a colon and has none. Values that start before it end there too.
    private var noColonBefore = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The positions of the secrets, in order.
    consuming func secrets() -> [Range<Int>] {
        var found: [Range<Int>] = []
        while let name = nextName() {
            if skip("://") {
                found.append(userinfo())
            } else if isScheme(name) {
                guard skip(" ") else { continue }
                skipAll(Self.blanks)
                found.append(value())
            } else if isSecret(name), skipAssignment() {
                found.append(assignedValue())
            } else if isPaired(name), skipAssignment() {
                found.append(secondOfPair())
            }
        }
        return found.filter { !$0.isEmpty }
    }

    private mutating func nextName() -> Range<Int>? {
        while place < bytes.count, !isNameByte(bytes[place]) { place += 1 }
        let start = place
        while place < bytes.count, isNameByte(bytes[place]) { place += 1 }
        return start < place ? start..<place : nil
    }

    /// The user information before the `@` in an authority (RFC 3986 §3.2.1).
    private mutating func userinfo() -> Range<Int> {
        let start = place
        var end = place
        var next = place
        while next < bytes.count, !endsAuthority(bytes[next]) {
            if bytes[next] == UInt8(ascii: "@") { end = next }
            next += 1
        }
        place = end
        return start..<end
    }

    private func endsAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "\\"),
            0...32:
            true
        default: false
        }
    }

    /// Skips `[]` or `[index]`, which some clients use for lists in queries.
    private mutating func skipIndex() {
        let start = place
        guard skip("[") else { return }
        while place < bytes.count, isNameByte(bytes[place]) { place += 1 }
        if !skip("]") { place = start }
    }

    /// Skips `=` or `:`, with the characters around them in JSON, messages and percent-encoding; false if neither follows.
    private mutating func skipAssignment() -> Bool {
        let start = place
        skipIndex()
        skipAll(Self.wrapping)
        guard skip("=") || skip(":") || skip("%3D") || skip("%3d") else {
            place = start
            return false
        }
        skipAll(Self.wrapping)
        if skip("Optional(") { skipAll(Self.wrapping) }
        return true
    }

    private mutating func skipAll(_ some: [UInt8]) {
        while place < bytes.count, some.contains(bytes[place]) { place += 1 }
    }

    /// The value, including any scheme before it.
    private mutating func assignedValue() -> Range<Int> {
        let first = value()
        guard isScheme(first), skip(" ") else { return first }
        skipAll(Self.blanks)
        return first.lowerBound..<value().upperBound
    }

    /// The secret in `ID:SECRET`. A value without a colon contains no secret, and is searched like any other string.
    private mutating func secondOfPair() -> Range<Int> {
        guard place >= noColonBefore else { return place..<place }
        let pair = value()
        guard let colon = pair.first(where: { bytes[$0] == UInt8(ascii: ":") }) else {
            noColonBefore = pair.upperBound
            place = pair.lowerBound
            return place..<place
        }
        return colon + 1..<pair.upperBound
    }

    private mutating func value() -> Range<Int> {
        let start = place
        while place < bytes.count, !endsValue(place) { place += 1 }
        return start..<place
    }

    private func endsValue(_ place: Int) -> Bool {
        switch bytes[place] {
        case UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "'"), UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "\\"),
            UInt8(ascii: "#"), 0...31:
            true
        case UInt8(ascii: "%"): matches("%26", at: place)
        default: false
        }
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        guard matches(text, at: place) else { return false }
        place += text.utf8CodeUnitCount
        return true
    }

    private func matches(_ text: StaticString, at start: Int) -> Bool {
        guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[start + $0] == text.utf8Start[$0] }
    }

    private func isSecret(_ name: Range<Int>) -> Bool {
        Self.endings.contains { ends(name, with: $0) }
            || Self.names.contains { name.count == $0.utf8CodeUnitCount && ends(name, with: $0) }
    }

    private func isPaired(_ name: Range<Int>) -> Bool {
        Self.pairs.contains { name.count == $0.utf8CodeUnitCount && ends(name, with: $0) }
    }

    private func isScheme(_ name: Range<Int>) -> Bool {
        Self.schemes.contains { name.count == $0.utf8CodeUnitCount && ends(name, with: $0) }
    }

    /// Compares while ignoring the case of ASCII letters.
    private func ends(_ name: Range<Int>, with ending: StaticString) -> Bool {
        let count = ending.utf8CodeUnitCount
        guard name.count >= count else { return false }
        return (0..<count).allSatisfy { bytes[name.upperBound - count + $0] | 0x20 == ending.utf8Start[$0] | 0x20 }
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
