import Synchronization

/// Makes trace identifiers: 32 lower-case hexadecimal digits (W3C Trace Context, "trace-id"). The first half is of the process, the second
/// of the request; both look random, and neither protects anything.
enum TraceID {
    private static let process = UInt64.random(in: .min ... .max)
    private static let sequence = Atomic<UInt64>(.random(in: .min ... .max))

    static func next() -> String {
        String(unsafeUninitializedCapacity: 32) { digits in
            write(process, to: digits, at: 0)
            write(nextNumber(), to: digits, at: 16)
            return 32
        }
    }

    /// Names one caller's part of a trace: 16 hexadecimal digits (W3C Trace Context, "parent-id").
    static func nextParent() -> String {
        String(unsafeUninitializedCapacity: 16) { digits in
            write(nextNumber(), to: digits, at: 0)
            return 16
        }
    }

    private static func nextNumber() -> UInt64 {
        mixed(sequence.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue)
    }

    /// SplitMix64's finalizer: successive numbers have nothing in common (https://prng.di.unimi.it/splitmix64.c).
    private static func mixed(_ number: UInt64) -> UInt64 {
        var bits = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    private static func write(_ number: UInt64, to digits: UnsafeMutableBufferPointer<UInt8>, at start: Int) {
        for place in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - place * 4)) & 0xF
            digits[start + place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        }
    }
}
