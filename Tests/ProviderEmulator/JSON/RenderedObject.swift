import NIOConcurrencyHelpers
import NIOCore

/// A JSON object whose text is made once, at its first use: whole, and member by member for clients that ask for fields.
final class RenderedObject: Sendable {
    /// One member with the bytes of its value, and the members below it as far as fields can be asked for.
    struct Field: Sendable {
        let name: String
        let bytes: ByteBuffer
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

    /// - Parameter fieldDepth: How many levels of members can be asked for on their own.
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

    /// Appends the object, or of it what `mask` asks for.
    func write(_ mask: FieldMask, into buffer: inout ByteBuffer) {
        if mask == .everything {
            buffer.writeImmutableBuffer(text.whole)
        } else {
            Self.write(text.fields, mask, into: &buffer)
        }
    }

    private static func fields(of value: JSONValue, depth: Int) -> [Field] {
        guard depth > 0, case .object(let members) = value else { return [] }
        return members.map {
            Field(
                name: $0.name, bytes: ByteBuffer(bytes: $0.value.rendered),
                children: fields(of: $0.value, depth: depth - 1))
        }
    }

    private static func write(_ fields: [Field], _ mask: FieldMask, into buffer: inout ByteBuffer) {
        var separator = "{"
        for field in fields {
            guard let below = mask.selecting(field.name) else { continue }
            buffer.writeString("\(separator)\"\(field.name)\":")
            separator = ","
            if below == .everything || field.children.isEmpty {
                buffer.writeImmutableBuffer(field.bytes)
            } else {
                write(field.children, below, into: &buffer)
            }
        }
        buffer.writeString(separator == "{" ? "{}" : "}")
    }
}
