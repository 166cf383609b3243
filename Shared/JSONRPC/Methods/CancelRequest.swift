import NIOCore

/// Tells the peer that an answer is no longer awaited: `$/cancelRequest {"id": 7}`, as the Language Server
/// Protocol does. One that comes late is no error.
enum CancelRequest {
    static let name = "$/cancelRequest"

    /// The request's id; nil when the parameters name none.
    static func id(in parameters: ByteBuffer) -> RPCID? {
        guard let envelope = try? EnvelopeScanner.scan(parameters), let slot = envelope.id else { return nil }
        return RPCID(slot, in: parameters)
    }
}
