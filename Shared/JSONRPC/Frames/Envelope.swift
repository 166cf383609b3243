/// Where the members of a JSON-RPC 2.0 object are in their frame, the values checked but not decoded.
///
/// A member given twice counts as it is given last (http-api.md "Validation"); members that JSON-RPC does not know are skipped.
package struct Envelope: Equatable, Sendable {
    /// Where one value is, and what it is.
    package struct Slot: Equatable, Sendable {
        /// Bytes from the begin of the frame; a string's quotes are inside.
        package var range: Range<Int>
        package var kind: JSONKind
    }

    package var jsonrpc: Slot?
    package var id: Slot?
    package var method: Slot?
    package var params: Slot?
    package var result: Slot?
    package var error: Slot?
    /// How many milliseconds the caller waits: this suite's addition to the request object.
    package var deadlineMs: Slot?
    /// What the call is made for: `traceparent` of W3C Trace Context, and the request's identifier where that is another. Both are this suite's
    /// additions, too.
    package var traceparent: Slot?
    package var requestId: Slot?
}
