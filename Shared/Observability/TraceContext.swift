import Synchronization

/// Identifies a request in every process that takes part in it (command-line.md "tail").
package struct TraceContext: Sendable, Hashable {
    /// Maximum length of a client's request identifier, in bytes.
    private static let maxRequestIDLength = 128

    /// The trace identifier: 32 lower-case hexadecimal digits (W3C Trace Context, "trace-id").
    package let traceID: String
    /// The client's request identifier (`X-Request-Id`), otherwise the trace identifier.
    package let requestID: String

    /// ``requestID``, unless it is the trace identifier, from which it can be restored.
    package var ownRequestID: String? { requestID == traceID ? nil : requestID }

    /// Continues the caller's trace, or begins a new one if `traceparent` is missing or invalid. Without a valid `requestID`, the trace identifier is
    /// used in its place.
    ///
    /// - Parameters:
    ///   - traceparent: The caller's `traceparent` (W3C Trace Context §3.2).
    ///   - requestID: The caller's `X-Request-Id`: up to 128 letters, digits and `-_.:/+=`.
    package init(traceparent: String? = nil, requestID: String? = nil) {
        traceID = traceparent.flatMap(Self.traceID) ?? TraceID.next()
        self.requestID = requestID.flatMap { Self.isSane($0) ? $0 : nil } ?? traceID
    }

    /// Restores a stored context; nil if the trace identifier is invalid. Without a request identifier, the trace identifier is used.
    package init?(traceID: String, requestID: String?) {
        guard traceID.utf8.count == 32, Self.isHexadecimal(traceID.utf8) else { return nil }
        self.traceID = traceID
        self.requestID = requestID ?? traceID
    }

    /// The `traceparent` for an outgoing call; each call has its own parent identifier.
    package var traceparent: String { "00-\(traceID)-\(TraceID.nextParent())-01" }

    /// The trace identifier in `traceparent`; nil if the field is malformed or one of its identifiers is all zeros. Later versions may add fields.
    private static func traceID(in traceparent: String) -> String? {
        var traceparent = traceparent
        return traceparent.withUTF8 { text in
            guard text.count >= 55, text[2] == dash, text[35] == dash, text[52] == dash,
                isHexadecimal(text[..<2]), isHexadecimal(text[3..<35]), isHexadecimal(text[36..<52]),
                isHexadecimal(text[53..<55]),
                text[3..<35].contains(where: { $0 != zero }), text[36..<52].contains(where: { $0 != zero })
            else { return nil }
            let isFirstVersion = text[..<2].elementsEqual("00".utf8)
            guard !text[..<2].elementsEqual("ff".utf8), text.count == 55 || (!isFirstVersion && text[55] == dash) else {
                return nil
            }
            return String(decoding: text[3..<35], as: UTF8.self)
        }
    }

    private static let dash = UInt8(ascii: "-")
    private static let zero = UInt8(ascii: "0")

    private static func isHexadecimal(_ digits: some Sequence<UInt8>) -> Bool {
        digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static func isSane(_ text: String) -> Bool {
        (1...maxRequestIDLength).contains(text.utf8.count) && text.utf8.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "-_.:/+=".utf8.contains(byte)
        }
    }
}

/// Generates trace identifiers: 32 lower-case hexadecimal digits (W3C Trace Context, "trace-id"). The first half identifies the process, the
/// second the request; both look random, and neither is a secret.
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

    /// Generates the identifier for a caller in a trace: 16 hexadecimal digits (W3C Trace Context, "parent-id").
    static func nextParent() -> String {
        String(unsafeUninitializedCapacity: 16) { digits in
            write(nextNumber(), to: digits, at: 0)
            return 16
        }
    }

    private static func nextNumber() -> UInt64 {
        mixed(sequence.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue)
    }

    /// SplitMix64's finalizer: consecutive inputs produce unrelated outputs (https://prng.di.unimi.it/splitmix64.c).
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
