/// Collects statistics about a text's encoding in one pass over its bytes.
struct TextSurvey {
    /// Whether any byte is outside ASCII.
    private(set) var hasHighBytes = false
    private(set) var hasZeros = false
    /// Number of characters outside ASCII in well-formed UTF-8.
    private(set) var sequences = 0
    /// Number of bytes outside ASCII that are not part of well-formed UTF-8.
    private(set) var otherBytes = 0
    /// Whether the file ends inside a character, as after an interrupted download.
    private(set) var endsInSequence = false
    /// Letter statistics for the bytes counted in `otherBytes`.
    private var letters = LetterStatistics()

    /// Examines a block. Returns the number of final bytes that must be repeated at the start of the next block.
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int {
        if !hasZeros { hasZeros = bytes.firstIndex(of: 0, from: 0) != nil }
        var index = 0
        while true {
            index = UTF8Sequence.endOfASCII(bytes, from: index)
            guard index < bytes.count else { return 0 }
            hasHighBytes = true
            if let length = UTF8Sequence.length(bytes, at: index) {
                sequences += 1
                index += length
            } else if !isLast, UTF8Sequence.isCut(bytes, at: index) {
                return bytes.count - index
            } else if isLast, sequences > 0, UTF8Sequence.isCut(bytes, at: index) {
                endsInSequence = true
                return 0
            } else {
                otherBytes += 1
                let isFollowed = index + 1 < bytes.count && bytes[index + 1] >= 0x80
                letters.add(bytes[index], hasNeighbor: isFollowed || index > 0 && bytes[index - 1] >= 0x80)
                if Self.isInWord(bytes, index) { letters.add(inWord: bytes[index]) }
                index += 1
            }
        }
    }

    /// Whether a byte is between ASCII letters, of which the second is a small one.
    private static func isInWord(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        index > 0 && bytes[index - 1].isASCIILetter && index + 1 < bytes.count
            && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[index + 1])
    }

    /// Whether part of the text is not UTF-8.
    var hasOtherBytes: Bool { otherBytes > 0 || endsInSequence }

    /// The file's encoding. It is UTF-8 if there is at most one invalid byte for every ten characters outside ASCII.
    var encoding: TextEncoding {
        otherBytes * 10 <= sequences ? .utf8 : fallback
    }

    /// The encoding of the bytes that are not UTF-8.
    var fallback: TextEncoding { letters.encoding }
}
