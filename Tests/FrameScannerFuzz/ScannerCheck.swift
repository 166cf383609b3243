import JSONRPC
import NIOCore

/// Holds the scanner against the reference and against itself.
struct ScannerCheck {
    /// What the checks came to.
    enum Outcome {
        case accepted, refused, notCompared
        case disagreement(String)
    }

    private let reference = ReferenceParser()

    func check(_ bytes: [UInt8]) -> Outcome {
        let kind = bytes.withUnsafeBytes { bytes in
            Result { () throws(ScanFault) in try EnvelopeScanner.validate(bytes) }
        }
        let envelope = Result { () throws(ScanFault) in try EnvelopeScanner.scan(ByteBuffer(bytes: bytes)) }
        if let fault = faultBetween(kind, envelope) { return .disagreement(fault) }
        let isAccepted = (try? kind.get()) != nil
        switch reference.verdict(on: bytes) {
        case .accepted(let value):
            guard isAccepted else { return .disagreement("only the reference accepts: \(kind)") }
            let fault = (try? envelope.get()).flatMap { faultOfSlots($0, bytes, value) ?? faultOfMessage(bytes, value) }
            return fault.map(Outcome.disagreement) ?? .accepted
        case .refused:
            return isAccepted ? .disagreement("only the scanner accepts") : .refused
        case .differs(let expected):
            if let expected, expected != isAccepted { return .disagreement("accepted: \(isAccepted)") }
            return .notCompared
        }
    }

    /// The envelope's scan accepts exactly the texts that are objects.
    private func faultBetween(
        _ kind: Result<JSONKind, ScanFault>, _ envelope: Result<Envelope, ScanFault>
    ) -> String? {
        switch (kind, envelope) {
        case (.success(.object), .success): nil
        case (.success(.object), .failure): "an object without envelope"
        case (.success, .failure(let fault)): fault.reason == .notAnObject ? nil : "a value refused as \(fault)"
        case (.failure, .failure(let fault)): fault.reason == .notAnObject ? "a broken text is no value" : nil
        default: "an envelope of what is no object"
        }
    }

    /// Every range, parsed alone, is what the reference finds under the member's name.
    private func faultOfSlots(_ envelope: Envelope, _ bytes: [UInt8], _ value: Any) -> String? {
        guard let members = value as? [String: Any] else { return "an envelope of what is no object" }
        let slots = [
            ("jsonrpc", envelope.jsonrpc), ("id", envelope.id), ("method", envelope.method),
            ("params", envelope.params),
            ("result", envelope.result), ("error", envelope.error), ("deadlineMs", envelope.deadlineMs),
            ("traceparent", envelope.traceparent),
            ("requestId", envelope.requestId),
        ]
        for (name, slot) in slots {
            switch (members[name], slot) {
            case (nil, nil): continue
            case (let expected?, let slot?):
                guard case .accepted(let found) = reference.verdict(on: bytes[slot.range]), isSameValue(found, expected)
                else {
                    return "another value of \(name)"
                }
            default: return "\(name) is found by one only"
            }
        }
        return nil
    }

    /// The strings that the envelope's reader decodes are the reference's.
    private func faultOfMessage(_ bytes: [UInt8], _ value: Any) -> String? {
        guard let members = value as? [String: Any], let message = try? Message(ByteBuffer(bytes: bytes)) else {
            return nil
        }
        switch message {
        case .request(.text(let id), _, _, _, _) where members["id"] as? String != id:
            return "another id"
        case .request(_, let method, _, _, _), .notification(let method, _):
            return members["method"] as? String == method ? nil : "another method"
        default:
            return nil
        }
    }
}
