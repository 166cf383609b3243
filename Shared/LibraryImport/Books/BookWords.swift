/// The words of a book's title and first author, for recognizing an ISBN that belongs to another book.
struct BookWords {
    private let title, author: WordHashes

    init(title: CellBytes, author: CellBytes) {
        // Shorter words, such as articles, also occur in titles of other books.
        self.title = WordHashes(title, shortest: 4)
        self.author = WordHashes(author, shortest: 2)
    }

    /// Whether both the titles and the authors have words, but none in common. The titles alone are not enough, because one may be a translation.
    func areOfOtherBook(than other: BookWords) -> Bool {
        title.differ(from: other.title) && author.differ(from: other.author)
    }
}

/// Hashes of the first eight words of a text. Short words are left out, and so are words that have neither ASCII letters nor ASCII digits, because
/// names and titles may be transliterated.
private struct WordHashes {
    private static let free: UInt16 = 0

    /// The hashes; unused elements are ``free``.
    private var hashes = SIMD8<UInt16>(repeating: Self.free)
    private var count: UInt8 = 0

    /// - Parameter shortest: Minimum length of a word in bytes.
    init(_ text: CellBytes, shortest: Int) {
        var word = Word()
        for byte in text.bytes where !word.append(byte) {
            add(word, shortest)
            word = Word()
        }
        add(word, shortest)
    }

    private mutating func add(_ word: Word, _ shortest: Int) {
        guard word.isLatin, word.length >= shortest, Int(count) < hashes.scalarCount else { return }
        hashes[Int(count)] = word.hash
        count += 1
    }

    /// Whether both texts have words, but none in common.
    func differ(from other: WordHashes) -> Bool {
        count > 0 && other.count > 0 && !(0..<Int(count)).contains { any(other.hashes .== hashes[$0]) }
    }

    /// A word that is being read.
    private struct Word {
        private var state: UInt32 = 2_166_136_261
        private(set) var length = 0
        private(set) var isLatin = false

        /// The FNV-1a hash of the word, folded to 16 bits; never ``WordHashes/free``.
        var hash: UInt16 { max(1, UInt16(truncatingIfNeeded: state ^ state >> 16)) }

        /// Adds a byte of a letter or digit, regardless of its case; false for a byte that ends the word.
        mutating func append(_ byte: UInt8) -> Bool {
            let isLetter = byte.isASCIILetter
            guard isLetter || byte >= 0x80 || byte.isASCIIDigit else { return false }
            isLatin = isLatin || byte < 0x80
            state = (state ^ UInt32(isLetter ? byte | 0x20 : byte)) &* 16_777_619
            length += 1
            return true
        }
    }
}
