package import NIOCore

/// Validates a whole frame as JSON and finds the members of its JSON-RPC envelope in one pass, without decoding any values. This is the interface for
/// frames.
package enum EnvelopeScanner {
    /// Scans a frame.
    ///
    /// - Throws: ``JSONFault``, with the reason `notAnObject` if the frame is JSON but not an object.
    package static func scan(_ frame: ByteBuffer) throws(JSONFault) -> Envelope {
        let outcome: Result<Envelope, JSONFault> = frame.withUnsafeReadableBytes { bytes in
            Result { () throws(JSONFault) in try scan(bytes) }
        }
        return try outcome.get()
    }

    /// Scans bytes in place.
    package static func scan(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) -> Envelope {
        var envelope = Envelope()
        var members = try MemberCursor(bytes)
        while let member = try members.next() {
            let slot = Envelope.Slot(range: member.value, kind: member.kind)
            switch Name(bytes, member) {
            case .jsonrpc: envelope.jsonrpc = slot
            case .id: envelope.id = slot
            case .method: envelope.method = slot
            case .params: envelope.params = slot
            case .result: envelope.result = slot
            case .error: envelope.error = slot
            case .deadlineMs: envelope.deadlineMs = slot
            case .traceparent: envelope.traceparent = slot
            case .requestId: envelope.requestId = slot
            case nil: break
            }
        }
        try members.finish()
        return envelope
    }

    /// The envelope's members by name; names are compared after resolving escapes.
    private enum Name: String {
        case jsonrpc, id, method, params, result, error, deadlineMs, traceparent, requestId

        @inline(__always)
        init?(_ bytes: UnsafeRawBufferPointer, _ member: MemberCursor.Member) {
            if member.keyHasEscapes {
                self.init(rawValue: member.name(in: bytes))
                return
            }
            switch member.key.count {
            case 2 where bytes.equals("id", in: member.key): self = .id
            case 5 where bytes.equals("error", in: member.key): self = .error
            case 6 where bytes.equals("method", in: member.key): self = .method
            case 6 where bytes.equals("params", in: member.key): self = .params
            case 6 where bytes.equals("result", in: member.key): self = .result
            case 7 where bytes.equals("jsonrpc", in: member.key): self = .jsonrpc
            case 9 where bytes.equals("requestId", in: member.key): self = .requestId
            case 10 where bytes.equals("deadlineMs", in: member.key): self = .deadlineMs
            case 11 where bytes.equals("traceparent", in: member.key): self = .traceparent
            default: return nil
            }
        }
    }
}

/// The positions of a JSON-RPC 2.0 object's members in their frame; values are validated but not decoded.
///
/// If a member is repeated, the last one is used (http-api.md "Validation"); members with other names are skipped.
package struct Envelope: Equatable, Sendable {
    /// The position and kind of one value.
    package struct Slot: Equatable, Sendable {
        /// Bytes from the start of the frame; includes a string's quotes.
        package var range: Range<Int>
        package var kind: JSONKind
    }

    package var jsonrpc: Slot?
    package var id: Slot?
    package var method: Slot?
    package var params: Slot?
    package var result: Slot?
    package var error: Slot?
    /// The caller's timeout in milliseconds: this suite's addition to the request object.
    package var deadlineMs: Slot?
    /// The trace that the call belongs to (W3C Trace Context); another of this suite's additions.
    package var traceparent: Slot?
    /// The client's request identifier, unless it equals the trace's identifier; another of this suite's additions.
    package var requestId: Slot?
}
