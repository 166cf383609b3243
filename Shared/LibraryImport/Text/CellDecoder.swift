import BookstrackContract

/// Turns the bytes of one cell into UTF-8.
///
/// Cells in one file may have different encodings, because applications store text as they received it. A UTF-8 cell in a file with another encoding
/// is read as UTF-8; in a UTF-8 file, the bytes of a cell that are not UTF-8 are read with the fallback code page. Text that an earlier program
/// misread is repaired (``MojibakeRepair``). What cannot be decoded becomes ``RawCells/undecodable``.
struct CellDecoder: Sendable {
    /// Result of decoding a cell.
    enum Outcome {
        /// The bytes are the text.
        case asItIs
        /// The text was appended. If there is a problem, it is to be reported.
        case decoded(RowProblem.Kind?)
    }

    private let page: CodePage
    private let isUTF8: Bool
    private let hasOtherBytes: Bool

    /// - Parameters:
    ///   - encoding: The file's encoding, after UTF-16 has been converted to UTF-8.
    ///   - fallback: The code page for bytes that are not UTF-8.
    ///   - hasOtherBytes: Whether the file may have such bytes.
    init(_ encoding: TextEncoding, fallback: TextEncoding, hasOtherBytes: Bool) {
        page = encoding.codePage ?? fallback.codePage ?? .windows1252
        isUTF8 = encoding.codePage == nil
        self.hasOtherBytes = hasOtherBytes
    }

    /// Whether no cell in a row needs decoding. This must be fast, because it is called for every row.
    func isIntact(_ row: UnsafeBufferPointer<UInt8>) -> Bool {
        guard isUTF8, !hasOtherBytes else { return UTF8Sequence.endOfASCII(row, from: 0) == row.count }
        return !MojibakeRepair.isSuspect(row) && !containsReplacement(row)
    }

    /// Decodes a cell with bytes outside ASCII.
    func decode(_ cell: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) -> Outcome {
        if isUTF8, !hasOtherBytes || isWellFormed(cell) { return repairIntact(cell, &text) }
        let start = text.count
        var kind = mixed(cell, all: isUTF8, &text)
        if !isUTF8, kind == nil, let repaired = text[start...].withUnsafeBufferPointer(MojibakeRepair.repaired) {
            text.removeSubrange(start...)
            kind = repaired.withUnsafeBufferPointer { append(repaired: $0, to: &text) }
        }
        return .decoded(kind)
    }

    private func isWellFormed(_ cell: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = UTF8Sequence.endOfASCII(cell, from: 0)
        while index < cell.count {
            guard let length = UTF8Sequence.length(cell, at: index) else { return false }
            index = UTF8Sequence.endOfASCII(cell, from: index + length)
        }
        return true
    }

    private func repairIntact(_ cell: UnsafeBufferPointer<UInt8>, _ text: inout [UInt8]) -> Outcome {
        guard let repaired = MojibakeRepair.repaired(cell) else {
            guard containsReplacement(cell) else { return .asItIs }
            replaceReplacements(cell, &text)
            return .decoded(.undecodable)
        }
        return .decoded(repaired.withUnsafeBufferPointer { append(repaired: $0, to: &text) })
    }

    /// Appends a repaired cell; the repair may reveal another program's replacement character.
    private func append(repaired: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) -> RowProblem.Kind {
        if containsReplacement(repaired) {
            replaceReplacements(repaired, &text)
            return .undecodable
        }
        text.append(contentsOf: repaired)
        return .encodingRepaired
    }

    /// Whether the file itself contains U+FFFD here, because another program could not decode the text. The text cannot be recovered.
    private func containsReplacement(_ cell: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while let found = cell.firstIndex(of: 0xEF, from: index), found + 2 < cell.count {
            if cell[found + 1] == 0xBF, cell[found + 2] == 0xBD { return true }
            index = found + 1
        }
        return false
    }

    private func replaceReplacements(_ cell: UnsafeBufferPointer<UInt8>, _ text: inout [UInt8]) {
        var index = 0
        while index < cell.count {
            if index + 2 < cell.count, cell[index] == 0xEF, cell[index + 1] == 0xBF, cell[index + 2] == 0xBD {
                UTF8Sequence.append(RawCells.undecodable, to: &text)
                index += 3
            } else {
                text.append(cell[index])
                index += 1
            }
        }
    }

    /// Decodes a cell that may have both UTF-8 sequences and other bytes. Returns the problem to report; nil if there is none.
    ///
    /// - Parameter all: Whether every well-formed sequence is a character; otherwise, only sequences in a cell that is clearly UTF-8 are.
    private func mixed(_ cell: UnsafeBufferPointer<UInt8>, all: Bool, _ text: inout [UInt8]) -> RowProblem.Kind? {
        var kind: RowProblem.Kind?
        var sequences = all ? nil : MojibakeRepair.plausibleSequences(cell)
        // In code pages other than Windows-1252, two adjacent letters may happen to form a UTF-8 sequence.
        if sequences != nil, page.encoding != .windows1252, !isWellFormed(cell) { sequences = [] }
        var next = 0
        var index = 0
        while index < cell.count {
            let ascii = UTF8Sequence.endOfASCII(cell, from: index)
            text.append(contentsOf: UnsafeBufferPointer(rebasing: cell[index..<ascii]))
            index = ascii
            guard index < cell.count else { break }
            var length: Int?
            if let sequences {
                if next < sequences.count, sequences[next].lowerBound == index {
                    length = sequences[next].count
                    next += 1
                }
            } else {
                length = UTF8Sequence.length(cell, at: index)
            }
            if let length {
                if UTF8Sequence.scalar(cell, at: index, length: length) == "\u{FFFD}" {
                    UTF8Sequence.append(RawCells.undecodable, to: &text)
                    kind = .undecodable
                } else {
                    text.append(contentsOf: UnsafeBufferPointer(rebasing: cell[index..<(index + length)]))
                    if !all, kind == nil { kind = .encodingRepaired }
                }
                index += length
            } else if let scalar = page.scalar(cell[index]) {
                UTF8Sequence.append(scalar, to: &text)
                if all, kind == nil { kind = .encodingRepaired }
                index += 1
            } else {
                UTF8Sequence.append(RawCells.undecodable, to: &text)
                kind = .undecodable
                index += 1
            }
        }
        return kind
    }
}
