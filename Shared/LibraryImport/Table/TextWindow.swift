/// A section of the text that moves through the file as the parser consumes records. UTF-16 is converted to UTF-8; other encodings are unchanged.
struct TextWindow {
    private let source: ByteSource
    private var transcoder: UTF16Transcoder?
    private(set) var text: [UInt8] = []
    /// Whether the text extends to the end of the file.
    private(set) var isLast = false
    private var block: [UInt8]
    /// Number of the file's bytes before the window.
    private var start: Int
    /// Number of the file's bytes up to the end of the window.
    private var end: Int

    init(_ source: ByteSource, from start: Int, encoding: TextEncoding, blockSize: Int) {
        self.source = source
        self.start = start
        end = start
        block = [UInt8](repeating: 0, count: min(blockSize, max(source.count - start, 1)))
        switch encoding {
        case .utf16LittleEndian: transcoder = UTF16Transcoder(isBigEndian: false)
        case .utf16BigEndian: transcoder = UTF16Transcoder(isBigEndian: true)
        default: break
        }
    }

    /// Number of the file's bytes before a position in the text: exact if the text and the file have the same bytes, otherwise an estimate.
    func position(of index: Int) -> Int {
        guard transcoder != nil, !text.isEmpty else { return start + index }
        return start + (end - start) * index / text.count
    }

    /// Drops the text before `consumed` and reads blocks until the remaining text has at least doubled or the file ends.
    mutating func advance(to consumed: Int) throws(LibraryFileFault) {
        start = position(of: consumed)
        text.removeSubrange(..<consumed)
        let wanted = max(text.count * 2, 1)
        repeat {
            let offset = end
            let source = source
            let length = try block.withUnsafeMutableBufferPointer { block throws(LibraryFileFault) in
                try source.read(at: offset, into: block)
            }
            end += length
            isLast = length == 0 || end >= source.count
            append(length)
        } while !isLast && text.count < wanted
    }

    private mutating func append(_ length: Int) {
        block.withUnsafeBufferPointer { block in
            let block = UnsafeBufferPointer(rebasing: block[..<length])
            if transcoder == nil {
                text.append(contentsOf: block)
            } else {
                transcoder?.transcode(block, isLast: isLast, to: &text)
            }
        }
    }
}
