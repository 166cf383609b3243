/// Properties of a file's text, determined before its table is read.
struct TextProperties: Sendable {
    let encoding: TextEncoding
    /// Length of the byte order mark.
    let start: Int
    /// Decodes cells whose bytes are not ASCII.
    let decoder: CellDecoder
    /// Whether the text may contain bytes outside ASCII.
    let hasHighBytes: Bool
    /// Whether the text may contain zero bytes.
    let hasZeros: Bool

    /// Maximum number of bytes to examine; later bytes may be of any kind.
    private static let surveyLimit = 64 << 20

    /// Examines the bytes of a file. Throws `multibyteText` for text in an encoding that is not decoded, and `unreadable` if reading fails.
    init(_ source: ByteSource) throws(LibraryFileFault) {
        var block = [UInt8](repeating: 0, count: min(LibraryTable.blockSize, source.count + 4))
        let length = try Self.read(source, at: 0, into: &block, from: 0)
        let first = block[..<length]
        let marked = first.withUnsafeBufferPointer(TextEncoding.marked)
        let wide = marked?.encoding ?? first.prefix(8_192).withUnsafeBufferPointer(TextEncoding.unmarkedUTF16)
        start = marked?.length ?? 0
        if let wide, wide != .utf8 {
            encoding = wide
            decoder = CellDecoder(.utf8, fallback: .windows1252, hasOtherBytes: false)
            (hasHighBytes, hasZeros) = (true, true)
            return
        }
        var survey = TextSurvey()
        var (offset, kept) = (start, 0)
        while offset < min(source.count, Self.surveyLimit) {
            let length = try Self.read(source, at: offset, into: &block, from: kept)
            guard length > 0 else { break }
            offset += length
            let filled = kept + length
            kept = block[..<filled].withUnsafeBufferPointer { survey.add($0, isLast: offset >= source.count) }
            for index in 0..<kept { block[index] = block[filled - kept + index] }
        }
        let isWhole = offset >= source.count
        encoding = marked == nil ? survey.encoding : .utf8
        if encoding.codePage != nil { try Self.checkMultibyte(source, &block) }
        decoder = CellDecoder(encoding, fallback: survey.fallback, hasOtherBytes: survey.hasOtherBytes || !isWhole)
        hasHighBytes = survey.hasHighBytes || !isWhole
        hasZeros = survey.hasZeros || !isWhole
    }

    private static func checkMultibyte(_ source: ByteSource, _ block: inout [UInt8]) throws(LibraryFileFault) {
        var survey = MultibyteSurvey()
        var offset = 0
        while offset < min(source.count, surveyLimit), !survey.isComplete {
            let length = try read(source, at: offset, into: &block, from: 0)
            guard length > 0 else { break }
            offset += length
            block[..<length].withUnsafeBufferPointer { survey.add($0) }
        }
        if survey.isLikely { throw .multibyteText }
    }

    /// Reads into a block after the bytes that are kept in it.
    private static func read(
        _ source: ByteSource, at offset: Int, into block: inout [UInt8], from kept: Int
    ) throws(LibraryFileFault) -> Int {
        try block.withUnsafeMutableBufferPointer { block throws(LibraryFileFault) in
            try source.read(at: offset, into: UnsafeMutableBufferPointer(rebasing: block[kept...]))
        }
    }
}
