import Glibc

/// Repairs UTF-8 that was read as Windows-1252: `BrochÃ©` for `Broché`.
///
/// Text is repaired sequence by sequence, because such a cell often also contains intact characters. In normal text, a letter may be followed by
/// quotation marks, dashes and the like, as in `« Liberté »` and `«Así está…»`. Such a sequence is repaired only if it is inside a word, like `Å“` in
/// `cÅ“ur`, or if the text also contains mojibake that could not be normal text.
enum MojibakeRepair {
    /// The repaired text of a cell in UTF-8; nil if no repair is needed.
    static func repaired(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard isSuspect(text) else { return nil }
        // A spreadsheet may have damaged a cell twice: `Ã©` became `ÃƒÂ©`.
        var current = once(text)
        var best = current
        for _ in 0..<2 {
            guard let text = current else { break }
            best = text
            current = text.withUnsafeBufferPointer { isSuspect($0) ? once($0) : nil }
        }
        return current ?? best
    }

    /// Whether two characters outside ASCII are adjacent and the first of them is in the range Â to ô. This must be fast, because it runs for every
    /// row of a UTF-8 file with such characters.
    static func isSuspect(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index &+ 3 < text.count {
            guard let found = text.firstIndex(of: 0xC3, from: index), found &+ 3 < text.count else { return false }
            if (0x82...0xB4).contains(text[found &+ 1]), text[found &+ 2] >= 0xC2 { return true }
            index = found &+ 2
        }
        return false
    }

    private static func once(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        // The bytes before they were read as Windows-1252; 0 for characters that the code page does not have.
        var bytes: [UInt8] = []
        var starts: [Int] = []
        var index = 0
        while index < text.count {
            starts.append(index)
            guard text[index] >= 0x80 else {
                bytes.append(text[index])
                index += 1
                continue
            }
            let length = UTF8Sequence.length(text, at: index) ?? 1
            let scalar = UTF8Sequence.scalar(text, at: index, length: max(length, 2))
            bytes.append(length > 1 ? CodePage.windows1252.byte(scalar) ?? 0 : 0)
            index += length
        }
        starts.append(text.count)
        return bytes.withUnsafeBufferPointer { bytes in
            let sequences = plausibleSequences(bytes)
            guard !sequences.isEmpty else { return nil }
            var repaired: [UInt8] = []
            var copied = 0
            for sequence in sequences {
                repaired.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied..<starts[sequence.lowerBound]]))
                repaired.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[sequence]))
                copied = starts[sequence.upperBound]
            }
            repaired.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied...]))
            return repaired
        }
    }

    /// The UTF-8 sequences among the bytes of a single-byte encoding; empty if each sequence could be normal text in that encoding.
    static func plausibleSequences(_ bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var sequences: [Range<Int>] = []
        var hasEvidence = false
        var index = 0
        while true {
            index = UTF8Sequence.endOfASCII(bytes, from: index)
            guard index < bytes.count else { break }
            guard let length = UTF8Sequence.length(bytes, at: index), occurs(bytes, at: index, length: length) else {
                index += 1
                continue
            }
            let sequence = index..<(index + length)
            if !hasEvidence { hasEvidence = !mayBeNormal(bytes, sequence) || isInsideWord(bytes, sequence) }
            sequences.append(sequence)
            index += length
        }
        return hasEvidence ? sequences : []
    }

    /// Whether the character of a sequence occurs in library files.
    private static func occurs(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, length: Int) -> Bool {
        guard length == 2 else { return true }
        let last = bytes[index + 1]
        return switch bytes[index] {
        // U+0080 to U+009F are control characters, which do not occur in text.
        case 0xC2: last >= 0xA0
        // Latin, Greek, Cyrillic, combining accents, Hebrew, Arabic.
        case 0xC3...0xC5, 0xCC, 0xCE...0xD1, 0xD7...0xDB: true
        // Ș, ș, Ț, ț; Ґ, ґ.
        case 0xC8: (0x98...0x9B).contains(last)
        case 0xD2: (0x90...0x91).contains(last)
        default: false
        }
    }

    /// Whether a sequence may be normal text: a letter followed by marks that close a sentence or quotation, or by non-breaking spaces before such
    /// marks. A letter such as `Ã` or `Å` followed only by a non-breaking space is mojibake for à or Š.
    private static func mayBeNormal(_ bytes: UnsafeBufferPointer<UInt8>, _ sequence: Range<Int>) -> Bool {
        if sequence.count == 2, bytes[sequence.lowerBound + 1] == 0xA0 { return bytes[sequence.lowerBound] >= 0xD7 }
        return bytes[sequence].dropFirst().allSatisfy { byte in
            switch byte {
            // … ‘ ’ “ ” – — › », and the non-breaking space.
            case 0x85, 0x91...0x94, 0x96, 0x97, 0x9B, 0xBB, 0xA0: true
            default: false
            }
        }
    }

    /// Whether a sequence stands for a Latin letter inside a word, because as normal text, it would be a capital letter after a small one, or marks
    /// before a letter. An apostrophe, a dash or dots may precede a capital letter in normal text, as in `IRMÃ’S` and `JYVÄSKYLÄ–TAMPERE`.
    private static func isInsideWord(_ bytes: UnsafeBufferPointer<UInt8>, _ sequence: Range<Int>) -> Bool {
        let (start, end) = (sequence.lowerBound, sequence.upperBound)
        switch bytes[start] {
        case 0xC3...0xC5, 0xC8: if start > 0, isSmallLetter(bytes[start - 1]) { return true }
        // Vietnamese letters.
        case 0xE1 where bytes[start + 1] == 0xBB: break
        // A letter of another script does not occur alone in a Latin word, so `PERÚ’s` and `SHÎ‘A` are normal text.
        default: return false
        }
        guard end < bytes.count else { return false }
        return switch bytes[end - 1] {
        case 0xA0: false
        case 0x91, 0x93, 0x94: bytes[end].isASCIILetter
        default: isSmallLetter(bytes[end])
        }
    }

    private static func isSmallLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}

extension UnsafeBufferPointer<UInt8> {
    /// The first position of `byte` at or after `start`, nil if there is none; the C library searches a vector at a time.
    @inline(__always)
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress, let found = memchr(base + start, CInt(byte), count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
