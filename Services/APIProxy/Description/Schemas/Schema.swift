import BookstrackContract

/// The shape of a JSON value, as far as this API needs JSON Schema 2020-12 (which OpenAPI 3.1 and AsyncAPI 3 both take).
indirect enum Schema: Sendable, Equatable {
    case string(TextRule)
    /// One of these texts.
    case choice([String])
    case whole(ClosedRange<Int>?)
    case number(ClosedRange<Double>)
    case flag
    case null
    /// Bytes that are not JSON.
    case bytes
    case list(of: Schema, atMost: Int? = nil)
    /// Any keys, all with values of one shape.
    case map(of: Schema)
    case object([Property])
    case anyOf([Schema])
    /// Exactly one of these shapes.
    case oneOf([Schema])
    case named(SchemaName)

    /// What a text must be like.
    struct TextRule: Sendable, Equatable {
        /// A format of JSON Schema, for example "date-time".
        var format: String?
        var pattern: String?
        var length: ClosedRange<Int>?
    }

    /// One of an enumeration's values.
    static func choice<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> Schema {
        .choice(type.allCases.map(\.rawValue))
    }

    /// Any text.
    static let text = Schema.string(TextRule())
    /// Any whole number.
    static let integer = Schema.whole(nil)
    /// A text that follows a rule.
    static func text(_ rule: TextRule) -> Schema { .string(rule) }

    /// A whole number within bounds.
    static func integer(_ range: ClosedRange<Int>) -> Schema { .whole(range) }

    /// A number of things.
    static let count = Schema.integer(0...Int(Int32.max))
    /// ISO 8601 with milliseconds.
    static let time = Schema.text(TextRule(format: "date-time"))
    /// A job's identifier.
    static let jobId = jobId(shortest: JobID.shortest)
    /// The identifier that a start gives its job (http-api.md "Starting a job").
    static let newJobId = jobId(shortest: JobID.shortestNew)
    /// A job's progress.
    static let share = Schema.number(0...1)

    private static func jobId(shortest: Int) -> Schema {
        let lengths = shortest...JobID.longest
        return .text(
            TextRule(pattern: "^[A-Za-z0-9_-]{\(lengths.lowerBound),\(lengths.upperBound)}$", length: lengths))
    }

    /// A list of a named shape.
    static func list(of name: SchemaName, atMost: Int? = nil) -> Schema { .list(of: .named(name), atMost: atMost) }

    /// The success envelope around `data` (http-api.md "Envelope").
    static func envelope(_ data: SchemaName) -> Schema {
        .object([
            .required("success", .flag, "Always true."), .required("data", .named(data)),
            .required("metadata", .named(.metadata)),
        ])
    }
}
