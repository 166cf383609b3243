/// The target of a request: its decoded path components, and its query, in which `+` is a space, as in forms.
struct RequestTarget: Equatable, Sendable {
    struct Parameter: Equatable, Sendable {
        let name: String
        let value: String
    }

    let components: [String]
    let query: [Parameter]

    init(components: [String], query: [Parameter] = []) {
        self.components = components
        self.query = query
    }

    init(_ uri: String) {
        let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        components = parts[0].split(separator: "/").map { Self.decoded($0, plusIsSpace: false) }
        query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Parameter(
                name: Self.decoded(sides[0], plusIsSpace: true),
                value: sides.count > 1 ? Self.decoded(sides[1], plusIsSpace: true) : "")
        }
    }

    subscript(name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// A whole number from the query, clamped to `range`; `standard` if there is none.
    func count(_ name: String, in range: ClosedRange<Int>, standard: Int) -> Int {
        guard let number = self[name].flatMap({ Int($0) }) else { return standard }
        return min(max(number, range.lowerBound), range.upperBound)
    }

    /// The text with its percent escapes decoded; invalid ones are left unchanged (RFC 3986 §2.1).
    private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String {
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%"), index + 2 <= bytes.count,
                // Swift's integer parser would also accept a sign.
                !"+-".utf8.contains(bytes[index]),
                let value = UInt8(String(decoding: bytes[index..<index + 2], as: UTF8.self), radix: 16)
            {
                decoded.append(value)
                index += 2
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}

/// The page of results that a client requests.
struct ResultPage: Equatable, Sendable {
    let offset: Int
    let limit: Int

    func part<Element>(of results: [Element]) -> ArraySlice<Element> {
        results.dropFirst(offset).prefix(limit)
    }
}
