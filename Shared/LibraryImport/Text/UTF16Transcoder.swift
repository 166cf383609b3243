/// Converts UTF-16 to UTF-8 block by block.
///
/// A lone surrogate, or half a code unit at the end of the file, becomes U+FFFD, which the cell decoder reports.
struct UTF16Transcoder {
    private let isBigEndian: Bool
    /// The first byte of a code unit whose second byte is in the next block.
    private var firstByte: UInt8?
    /// The high surrogate of a pair whose low surrogate is in the next code unit.
    private var lead: UInt16?

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Appends the text of a block.
    mutating func transcode(_ block: UnsafeBufferPointer<UInt8>, isLast: Bool, to text: inout [UInt8]) {
        for byte in block {
            guard let first = firstByte else {
                firstByte = byte
                continue
            }
            firstByte = nil
            add(isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first), &text)
        }
        guard isLast else { return }
        if lead != nil || firstByte != nil { UTF8Sequence.append("\u{FFFD}", to: &text) }
        (lead, firstByte) = (nil, nil)
    }

    @inline(__always)
    private mutating func add(_ unit: UInt16, _ text: inout [UInt8]) {
        if let first = lead {
            lead = nil
            if UTF16.isTrailSurrogate(unit) {
                return UTF8Sequence.append(UTF16.decode(UTF16.EncodedScalar([first, unit])), to: &text)
            }
            UTF8Sequence.append("\u{FFFD}", to: &text)
        }
        if let scalar = Unicode.Scalar(unit) {
            UTF8Sequence.append(scalar, to: &text)
        } else if UTF16.isLeadSurrogate(unit) {
            lead = unit
        } else {
            UTF8Sequence.append("\u{FFFD}", to: &text)
        }
    }
}
