import JSONRPC
import NIOCore

/// Names a connected api-proxy or enrichment-worker.
typealias PeerID = RPCConnectionID

/// The way to a connected process; the engine only ever sends notifications through it.
protocol PeerLink: Sendable {
    var id: PeerID { get }
    /// Bytes that wait to be written to the process.
    var bufferedBytes: Int { get }
    /// False when the message was not taken, because the connection is over or its peer does not read.
    @discardableResult
    func notifyRaw(_ name: String, _ parameters: ByteBuffer) -> Bool
}

extension RPCConnection: PeerLink {}
