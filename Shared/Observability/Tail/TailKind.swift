/// What an event of a tail is about (command-line.md "tail").
package enum TailKind: String, Codable, Sendable, CaseIterable {
    /// An HTTP request, at api-proxy.
    case request
    /// An RPC call, at the service that answered it.
    case rpc
    /// A step of a job.
    case job
    /// A line that was logged outside of all those.
    case log
}
