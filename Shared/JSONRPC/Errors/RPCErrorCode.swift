/// The numbers of error objects (JSON-RPC 2.0 §5.1), and this suite's own in the range left to servers.
package enum RPCErrorCode {
    /// The frame is no JSON, no UTF-8 or too long; the connection is closed behind the answer.
    package static let parseError = -32700
    /// The frame is JSON but no request object.
    package static let invalidRequest = -32600
    /// No handler has this name.
    package static let methodNotFound = -32601
    /// The parameters do not decode; the message names the place.
    package static let invalidParameters = -32602
    /// The handler failed in a way that is its own business; the log has the cause.
    package static let internalError = -32603
    /// An ``RPCApplicationError``: the meaning is in the string `data.code`.
    package static let application = -32000
    /// The handler did not end within the caller's deadline.
    package static let deadlineExceeded = -32001
    /// Too much waits for the caller to read (``RPCLimits``). Nothing was done, or the method is idempotent: another try may succeed.
    package static let overloaded = -32002
    /// The handler ended because of `$/cancelRequest`; the number is the Language Server Protocol's.
    package static let cancelled = -32800
}
