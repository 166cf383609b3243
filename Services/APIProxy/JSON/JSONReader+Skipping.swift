extension JSONReader {
    /// Checks one value of any kind and moves past it.
    mutating func skipValue() throws(JSONFault) {
        // One entry per open level; true for an object.
        var open: [Bool] = []
        repeat {
            switch try peek() {
            case .object:
                try descend(&open, intoObject: true)
                if nextIs("}") { break }
                try skipKey()
                continue
            case .array:
                try descend(&open, intoObject: false)
                if nextIs("]") { break }
                continue
            case .string:
                try skipString()
                if try moveOn(&open) { continue } else { return }
            case .number:
                try skipNumber()
                if try moveOn(&open) { continue } else { return }
            case .boolean, .null:
                try skipWord()
                if try moveOn(&open) { continue } else { return }
            }
            // An empty array or object ended.
            open.removeLast()
            guard try moveOn(&open) else { return }
        } while true
    }

    private mutating func descend(_ open: inout [Bool], intoObject: Bool) throws(JSONFault) {
        guard open.count < Self.maximumDepth else { throw fault("more than \(Self.maximumDepth) levels of nesting") }
        advance()
        open.append(intoObject)
    }

    private mutating func skipKey() throws(JSONFault) {
        try skipString()
        try expect(":")
    }

    /// After a value: closes what ends here and moves to the next value; false when the outermost value is over.
    private mutating func moveOn(_ open: inout [Bool]) throws(JSONFault) -> Bool {
        while let isObject = open.last {
            if nextIs(",") {
                if isObject { try skipKey() }
                return true
            }
            try expect(isObject ? "}" : "]", or: isObject ? "',' or '}'" : "',' or ']'")
            open.removeLast()
        }
        return false
    }

    /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?` (RFC 8259 §6).
    private mutating func skipNumber() throws(JSONFault) {
        if current == UInt8(ascii: "-") { advance() }
        if current == UInt8(ascii: "0") { advance() } else { try skipDigits() }
        if current == UInt8(ascii: ".") {
            advance()
            try skipDigits()
        }
        guard current == UInt8(ascii: "e") || current == UInt8(ascii: "E") else { return }
        advance()
        if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { advance() }
        try skipDigits()
    }

    private mutating func skipDigits() throws(JSONFault) {
        let begin = offset
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { advance() }
        guard offset > begin else { throw fault("a digit is missing") }
    }

    private mutating func skipWord() throws(JSONFault) {
        for word in ["true", "false", "null"] where bytes[offset...].starts(with: word.utf8) {
            advance(by: word.utf8.count)
            return
        }
        throw fault("unknown word")
    }
}
