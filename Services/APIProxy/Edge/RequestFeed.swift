import HTTPTypes
import NIOCore
import Observability

/// Tells those who follow this process of its requests (command-line.md "tail").
struct RequestFeed: Sendable {
    /// Longest path and query that is kept, in bytes; the decoder bounds the fields.
    private static let longestTarget = 8 << 10

    let tail: TailHub
    let trustedProxies: TrustedProxies
    let departures: Departures

    /// A request was answered, or its client left before. `fields` is only called for those who follow.
    func publish(
        _ method: String, _ target: String, _ fields: @escaping @Sendable () -> HTTPFields, from peer: SocketAddress?,
        status: Int?, _ activity: Activity, left: Bool = false
    ) {
        let subject = TailSubject.Request(
            method: method, target: Self.bounded(target), fields: fields, status: status,
            address: { [trustedProxies] in trustedProxies.clientAddress(peer: peer, fields: fields()).text })
        tail.publish(TailEntry(.request(subject), of: activity, left ? .canceled : (status ?? 0) >= 500 ? .error : .ok))
    }

    private static func bounded(_ target: String) -> String {
        target.utf8.count <= longestTarget ? target : String(decoding: target.utf8.prefix(longestTarget), as: UTF8.self)
    }
}
