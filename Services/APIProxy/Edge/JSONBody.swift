import Foundation
import NIOCore

/// Answers as JSON.
enum JSONBody {
    /// Sorted keys and plain slashes; a contract type that does not encode is a fault of this program.
    static func encode(_ value: some Encodable) -> ByteBuffer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return ByteBuffer(bytes: try encoder.encode(value))
        } catch {
            preconditionFailure("\(type(of: value)) does not encode: \(error)")
        }
    }
}
