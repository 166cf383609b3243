/// What a JSON value is, told by its first byte (RFC 8259 §3).
package enum JSONKind: Sendable, Equatable {
    case object, array, string, number, boolean, null
}
