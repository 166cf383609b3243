import NIOConcurrencyHelpers
import NIOCore

/// A JSON object that is rendered once, on first use: as a whole, and member by member for clients that request fields.
final class RenderedObject: Sendable {
    /// One member as text, and those of its own members that can be requested separately.
    struct Field: Sendable {
        let name: String
        /// The text `"name":`.
        let label: ByteBuffer
        /// The text `"name":value`.
        let whole: ByteBuffer
        let children: [Field]
    }

    struct Text: Sendable {
        let whole: ByteBuffer
        let fields: [Field]
    }

    private enum State {
        case pending(@Sendable () -> JSONValue)
        case rendered(Text)
    }

    private let state: NIOLockedValueBox<State>
    private let fieldDepth: Int

    /// - Parameter fieldDepth: Number of levels of members that can be requested separately.
    init(fieldDepth: Int = 1, _ make: @escaping @Sendable () -> JSONValue) {
        self.fieldDepth = fieldDepth
        state = NIOLockedValueBox(.pending(make))
    }

    var text: Text {
        state.withLockedValue { state in
            switch state {
            case .rendered(let text): return text
            case .pending(let make):
                let value = make()
                let text = Text(
                    whole: ByteBuffer(bytes: value.rendered), fields: Self.fields(of: value, depth: fieldDepth))
                state = .rendered(text)
                return text
            }
        }
    }

    /// Appends the parts of the object that `mask` selects.
    func write(_ mask: FieldMask, into buffer: inout ByteBuffer) {
        if mask == .everything {
            buffer.writeImmutableBuffer(text.whole)
        } else {
            Self.write(text.fields, mask, into: &buffer)
        }
    }

    private static func fields(of value: JSONValue, depth: Int) -> [Field] {
        guard depth > 0, case .object(let members) = value else { return [] }
        return members.map { member in
            var label: [UInt8] = []
            JSONValue.write(member.name, into: &label)
            label.append(UInt8(ascii: ":"))
            return Field(
                name: member.name, label: ByteBuffer(bytes: label),
                whole: ByteBuffer(bytes: label + member.value.rendered),
                children: fields(of: member.value, depth: depth - 1))
        }
    }

    private static func write(_ fields: [Field], _ mask: FieldMask, into buffer: inout ByteBuffer) {
        var separator = UInt8(ascii: "{")
        for field in fields {
            guard let below = mask.selecting(field.name) else { continue }
            buffer.writeInteger(separator)
            separator = UInt8(ascii: ",")
            if below == .everything || field.children.isEmpty {
                buffer.writeImmutableBuffer(field.whole)
            } else {
                buffer.writeImmutableBuffer(field.label)
                write(field.children, below, into: &buffer)
            }
        }
        if separator == UInt8(ascii: "{") { buffer.writeInteger(separator) }
        buffer.writeInteger(UInt8(ascii: "}"))
    }
}
