import NIOCore

/// The id of a request, of every type that JSON-RPC 2.0 §4 allows; null names no request.
package enum RPCID: Hashable, Sendable {
    /// What this suite sends.
    case integer(Int64)
    /// A fraction, an exponent or a number beyond 64 bits: echoed digit by digit.
    case number(String)
    case text(String)

    /// Reads the id of a scanned frame; nil for null and for what is no id.
    init?(_ slot: Envelope.Slot, in frame: ByteBuffer) {
        switch slot.kind {
        case .string:
            self = .text(frame.decodeString(slot.range))
        case .number:
            guard let digits = frame.slice(of: slot.range) else { return nil }
            self.init(number: String(buffer: digits))
        case .object, .array, .boolean, .null:
            return nil
        }
    }

    /// "-0" is kept as it is written, so that the echo is exact.
    private init(number: String) {
        if let integer = Int64(number), number != "-0" {
            self = .integer(integer)
        } else {
            self = .number(number)
        }
    }

    func write(to buffer: inout ByteBuffer) {
        switch self {
        case .integer(let value): buffer.writeString(String(value))
        case .number(let digits): buffer.writeString(digits)
        case .text(let text): JSONString.write(text, to: &buffer)
        }
    }
}
