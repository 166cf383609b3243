/// No parameters or no result: `{}` on the wire; whatever object arrives in its place is accepted.
package struct Nothing: Codable, Equatable, Sendable {
    package init() {}
}
