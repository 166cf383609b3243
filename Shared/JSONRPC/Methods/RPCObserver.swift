/// Sees every request that this process answered, whoever asked (command-line.md "tail", metrics.md), also those that
/// no handler got, such as of an unknown method. Notifications and pings are left out.
package protocol RPCObserver: Sendable {
    /// Called once per request, on any thread, when its answer is written or its caller is gone; must not block.
    func answered(_ request: AnsweredRequest)
}
