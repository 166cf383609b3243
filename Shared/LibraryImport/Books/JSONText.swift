import Glibc
import JSON
import NIOCore

/// A growing JSON buffer whose memory is reused for each page. Its strings are those of ``JSONString``, but they are examined and copied eight bytes
/// at a time, because they make up most of a library.
struct JSONText: ~Copyable {
    private var bytes: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        bytes = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { bytes.deallocate() }

    mutating func removeAll() { count = 0 }

    /// Drops the first `length` bytes.
    mutating func drop(first length: Int) {
        memmove(bytes, bytes + length, count - length)
        count -= length
    }

    mutating func replaceFirst(_ byte: UInt8) { bytes[0] = byte }

    func copy(first length: Int) -> ByteBuffer {
        ByteBuffer(bytes: UnsafeRawBufferPointer(start: bytes, count: length))
    }

    @inline(__always)
    private mutating func reserve(_ length: Int) {
        if capacity &- count < length { grow(length) }
    }

    private mutating func grow(_ length: Int) {
        capacity = max(capacity * 2, count + length)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        memcpy(larger, bytes, count)
        bytes.deallocate()
        bytes = larger
    }

    // MARK: Writing

    /// Writes text that is already JSON.
    @inline(__always)
    mutating func write(json literal: StaticString) {
        let length = literal.utf8CodeUnitCount
        reserve(length)
        memcpy(bytes + count, literal.utf8Start, length)
        count &+= length
    }

    mutating func write(json other: UnsafeRawBufferPointer) {
        guard let start = other.baseAddress else { return }
        reserve(other.count)
        memcpy(bytes + count, start, other.count)
        count &+= other.count
    }

    mutating func write(_ number: Int) {
        // The longest number is -9223372036854775808.
        reserve(20)
        if number < 0 {
            bytes[count] = UInt8(ascii: "-")
            count &+= 1
        }
        var (rest, length) = (number.magnitude, 1)
        while rest >= 10 {
            rest /= 10
            length &+= 1
        }
        rest = number.magnitude
        var place = count &+ length
        count = place
        repeat {
            place &-= 1
            bytes[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
    }

    /// Writes a string with its quotes (RFC 8259 §7).
    mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { characters in
            reserve(characters.count &* JSONString.maxEscape &+ 2)
            var end = bytes + count
            end.pointee = UInt8(ascii: "\"")
            end += 1
            var index = 0
            let raw = UnsafeRawBufferPointer(characters)
            while index < characters.count {
                if index &+ 8 <= characters.count {
                    let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    if !Self.needsEscape(ByteWord(word)) {
                        UnsafeMutableRawPointer(end).storeBytes(of: word, as: UInt64.self)
                        end += 8
                        index &+= 8
                        continue
                    }
                }
                let byte = characters[index]
                index &+= 1
                if JSONString.needsEscape(byte) {
                    end += JSONString.escape(
                        byte, to: UnsafeMutableRawBufferPointer(start: end, count: JSONString.maxEscape))
                } else {
                    end.pointee = byte
                    end += 1
                }
            }
            end.pointee = UInt8(ascii: "\"")
            count = end + 1 - bytes
        }
    }

    /// The length in bytes of a string in JSON, without its quotes.
    static func length(of text: String) -> Int { text.utf8.reduce(0) { $0 + length(of: $1) } }

    @inline(__always)
    static func length(of byte: UInt8) -> Int {
        !JSONString.needsEscape(byte) ? 1 : byte < 0x20 ? JSONString.maxEscape : 2
    }

    @inline(__always)
    private static func needsEscape(_ word: ByteWord) -> Bool {
        word.hasControls || word.contains(UInt8(ascii: "\"")) || word.contains(UInt8(ascii: "\\"))
    }
}
