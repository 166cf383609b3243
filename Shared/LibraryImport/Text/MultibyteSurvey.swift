/// Recognizes Shift_JIS, Big5, and the family of GBK, EUC-KR and EUC-JP. These encodings are not decoded, but in a single-byte encoding, their text
/// would become a list of wrong titles.
///
/// In all of them, most characters are pairs of bytes. In a single-byte encoding, a letter before a space or a comma is not a valid pair, and the
/// other pairs are rarely those of the most frequent characters.
struct MultibyteSurvey {
    private var families: [PairCount] = [.shiftJIS, .gbk, .big5]

    /// Examines a block, which need not begin or end between characters.
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        for index in families.indices { families[index].add(bytes) }
    }

    /// Whether enough bytes have been examined. In a text with few bytes outside ASCII, examining the rest is quick.
    var isComplete: Bool { families.allSatisfy(\.isComplete) }

    /// Whether the text is probably in one of the encodings.
    var isLikely: Bool { families.contains { $0.isLikely } }
}

/// The pairs of bytes that a text would have in one encoding or family.
private struct PairCount {
    /// Minimum number of pairs: about as many as three titles have.
    private static let minPairs = 12
    private static let minFrequent = 4
    /// Number of pairs for each invalid byte that is tolerated.
    private static let pairsPerInvalid = 50
    /// Number of pairs and invalid bytes that suffice.
    private static let enough = 10_000

    /// The bytes outside ASCII that are characters of their own.
    private let singles: ByteSet
    private let leads: ByteSet
    private let trails: ByteSet
    /// The first and second bytes of frequent characters. Second bytes in the ASCII range are left out, because in a single-byte encoding, letters
    /// outside ASCII are often followed by ASCII letters.
    private let frequent: (leads: ByteSet, trails: ByteSet)
    /// At least one in this many pairs must be a frequent character.
    private let pairsPerFrequent: Int

    private var lead: UInt8?
    private var pairs = 0
    private var frequentPairs = 0
    private var invalid = 0

    /// Hiragana are frequent.
    static let shiftJIS = PairCount(
        singles: [0xA1...0xDF], leads: [0x81...0x9F, 0xE0...0xFC], trails: [0x40...0x7E, 0x80...0xFC],
        frequent: ([0x82...0x82], [0x9F...0xF1]), pairsPerFrequent: 20)

    /// Kana and the most common characters of GB 2312, KS X 1001 and JIS X 0208 are frequent.
    static let gbk = PairCount(
        singles: [], leads: [0x81...0xFE], trails: [0x40...0x7E, 0x80...0xFE],
        frequent: ([0xA4...0xA5, 0xB0...0xD7], [0xA1...0xFE]), pairsPerFrequent: 2)

    /// Characters of level 1 are frequent.
    static let big5 = PairCount(
        singles: [], leads: [0x81...0xFE], trails: [0x40...0x7E, 0xA1...0xFE],
        frequent: ([0xA4...0xC6], [0xA1...0xFE]), pairsPerFrequent: 3)

    private init(
        singles: ByteSet, leads: ByteSet, trails: ByteSet, frequent: (leads: ByteSet, trails: ByteSet),
        pairsPerFrequent: Int
    ) {
        (self.singles, self.leads, self.trails) = (singles, leads, trails)
        (self.frequent, self.pairsPerFrequent) = (frequent, pairsPerFrequent)
    }

    var isComplete: Bool { pairs + invalid >= Self.enough }

    var isLikely: Bool {
        pairs >= Self.minPairs && frequentPairs >= Self.minFrequent && frequentPairs * pairsPerFrequent >= pairs
            && invalid * Self.pairsPerInvalid <= pairs
    }

    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < bytes.count {
            if let lead, end(lead, with: bytes[index]) {
                index += 1
                continue
            }
            index = UTF8Sequence.endOfASCII(bytes, from: index)
            guard index < bytes.count else { return }
            begin(with: bytes[index])
            index += 1
        }
    }

    private mutating func begin(with byte: UInt8) {
        if leads.contains(byte) { lead = byte } else if !singles.contains(byte) { invalid += 1 }
    }

    /// Returns whether the byte is the second one of a pair.
    private mutating func end(_ lead: UInt8, with byte: UInt8) -> Bool {
        self.lead = nil
        guard trails.contains(byte) else {
            invalid += 1
            return false
        }
        // This may be a UTF-8 character, because single cells of a file in another encoding may be UTF-8. Such pairs are not counted.
        if (0xC2...0xDF).contains(lead), UTF8Sequence.isContinuation(byte) { return true }
        pairs += 1
        if frequent.leads.contains(lead), frequent.trails.contains(byte) { frequentPairs += 1 }
        return true
    }
}

/// A set of bytes.
private struct ByteSet: ExpressibleByArrayLiteral {
    private var members = [Bool](repeating: false, count: 256)

    init(arrayLiteral ranges: ClosedRange<UInt8>...) {
        for range in ranges { for byte in range { members[Int(byte)] = true } }
    }

    func contains(_ byte: UInt8) -> Bool { members[Int(byte)] }
}
