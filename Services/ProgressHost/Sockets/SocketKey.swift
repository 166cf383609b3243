import SuiteMethods

/// Names a live socket: its number and the api-proxy connection it is held by.
struct SocketKey: Hashable, Sendable {
    var peer: PeerID
    var socket: SocketID
}
