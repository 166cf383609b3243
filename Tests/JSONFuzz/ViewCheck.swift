import Foundation
import JSON
import JSONRPC
import NIOCore

/// Compares every view of JSON with the reference and with the other views.
struct ViewCheck {
    /// What the reference and all views agree on; `notCompared` if the reference is known to differ for this text.
    enum Outcome {
        case accepted, refused, notCompared
        case disagreement(String)
    }

    private let reference = ReferenceParser()

    func check(_ bytes: [UInt8]) -> Outcome {
        let kind = bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONFault) in try JSONCursor.validate(bytes) }
        }
        let envelope = Result { () throws(JSONFault) in try EnvelopeScanner.scan(ByteBuffer(bytes: bytes)) }
        if let fault = faultBetween(kind, envelope) ?? faultOfViews(bytes, kind) { return .disagreement(fault) }
        let isAccepted = (try? kind.get()) != nil
        switch reference.verdict(on: bytes) {
        case .accepted(let value):
            guard isAccepted else { return .disagreement("only the reference accepts: \(kind)") }
            let fault = (try? envelope.get()).flatMap { faultOfSlots($0, bytes, value) ?? faultOfMessage(bytes, value) }
            return (fault ?? faultOfTrees(bytes, value)).map(Outcome.disagreement) ?? .accepted
        case .refused:
            return isAccepted ? .disagreement("only the cursor accepts") : .refused
        case .differs(let expected):
            if let expected, expected != isAccepted { return .disagreement("accepted: \(isAccepted)") }
            return .notCompared
        }
    }

    /// A difference between the texts that the cursor and the other views accept; nil if there is none. A document may
    /// also accept a byte order mark, and strings with invalid characters, which become U+FFFD.
    private func faultOfViews(_ bytes: [UInt8], _ kind: Result<JSONKind, JSONFault>) -> String? {
        let body = Result { try JSONReader.read(bytes) { try $0.skipValue() } }
        let document = Result { () throws(JSONFault) in try JSONDocument(bytes) }
        switch (kind, body, document) {
        case (.success, .success, .success): return nil
        case (.failure(let fault), .failure(let other as JSONFault), .failure(let third)):
            // If there are two faults, the body's view reports invalid UTF-8 first, while a document ignores it.
            guard other != fault, other.reason != .invalidUTF8 else { return nil }
            return "\(fault) is \(other) in a body and \(third) in a document"
        case (.failure(let fault), .failure, .success):
            let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
            guard fault.reason != .loneSurrogate, fault.reason != .invalidUTF8, !isMarked else { return nil }
            return "a document accepts \(fault)"
        default: return "one view accepts it and another does not: \(kind), \(body), \(document)"
        }
    }

    /// A view whose value differs from the reference's, before or after writing; nil if there is none.
    private func faultOfTrees(_ bytes: [UInt8], _ value: Any) -> String? {
        do {
            let body = try JSONReader.read(bytes) { try Tree(&$0) }
            guard body.agrees(with: value) else { return "a different value in a body" }
            guard Tree(try JSONDocument(bytes).root).agrees(with: value) else {
                return "a different value in a document"
            }
            let decoded = try JSONCoding.decode(Tree.self, from: ByteBuffer(bytes: bytes))
            guard decoded.agrees(with: value) else { return "a different value was decoded" }
            let written = try JSONCoding.encode(decoded)
            guard case .accepted(let again) = reference.verdict(on: written.readableBytesView) else {
                return "the writer's output is not JSON: \(String(buffer: written))"
            }
            return decoded.agrees(with: again) ? nil : "the writer writes a different value"
        } catch {
            return "a view rejects a text that the reference accepts: \(error)"
        }
    }

    /// A text that the envelope scanner wrongly accepts or rejects: it must accept exactly the objects.
    private func faultBetween(
        _ kind: Result<JSONKind, JSONFault>, _ envelope: Result<Envelope, JSONFault>
    ) -> String? {
        switch (kind, envelope) {
        case (.success(.object), .success): nil
        case (.success(.object), .failure): "an object with no envelope"
        case (.success, .failure(let fault)): fault.reason == .notAnObject ? nil : "a value was rejected as \(fault)"
        case (.failure, .failure(let fault)):
            fault.reason == .notAnObject ? "an invalid text was reported as not an object" : nil
        default: "an envelope of a value that is not an object"
        }
    }

    /// A member whose range, parsed alone, differs from the reference's value; nil if there is none.
    private func faultOfSlots(_ envelope: Envelope, _ bytes: [UInt8], _ value: Any) -> String? {
        guard let members = value as? [String: Any] else { return "an envelope of a value that is not an object" }
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
                    return "a different value for \(name)"
                }
            default: return "only one of them finds \(name)"
            }
        }
        return nil
    }

    /// A string in the decoded message that differs from the reference's string; nil if there is none.
    private func faultOfMessage(_ bytes: [UInt8], _ value: Any) -> String? {
        guard let members = value as? [String: Any], let message = try? Message(ByteBuffer(bytes: bytes)) else {
            return nil
        }
        switch message {
        case .request(.text(let id), _, _, _, _) where members["id"] as? String != id:
            return "a different id"
        case .request(_, let method, _, _, _), .notification(let method, _):
            return members["method"] as? String == method ? nil : "a different method"
        default:
            return nil
        }
    }
}

/// Whether two values returned by `JSONSerialization` are equal, member by member.
private func isSameValue(_ left: Any, _ right: Any) -> Bool {
    switch (left, right) {
    case (let left as String, let right as String):
        left == right
    case (let left as [String: Any], let right as [String: Any]):
        left.count == right.count
            && left.allSatisfy { name, value in right[name].map { isSameValue(value, $0) } ?? false }
    case (let left as [Any], let right as [Any]):
        left.count == right.count && zip(left, right).allSatisfy { isSameValue($0, $1) }
    case (let left as NSNumber, let right as NSNumber):
        left == right
    case (is NSNull, is NSNull):
        true
    default:
        false
    }
}
