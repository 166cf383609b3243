/// How requests leave the machine, and whose certificates are believed.
package struct TransferRoute: Hashable, Sendable {
    /// Straight to each host, with the system's certificates.
    package static let direct = TransferRoute()

    /// Which requests go through a proxy.
    package var proxy: ProxyRule
    /// A PEM file of certificate authorities; nil for the system's.
    package var authorities: String?

    package init(proxy: ProxyRule = .direct, authorities: String? = nil) {
        self.proxy = proxy
        self.authorities = authorities
    }
}

/// The bounds of one ``TransferEngine``.
package struct TransferLimits: Hashable, Sendable {
    /// Transfers that libcurl works on at a time. More wait in the engine's queue, because waiting inside libcurl would count
    /// against a transfer's time-outs.
    package var concurrent: Int
    /// Transfers that wait; beyond that a new one fails with ``TransferError/saturated``.
    package var queued: Int
    /// Idle connections kept for reuse.
    package var idleConnections: Int
    /// The largest body, in bytes, as sent and as decoded.
    package var bodyBytes: Int
    /// How many times larger than its encoded form a body may be.
    package var decodingRatio: Int
    /// Decoded bytes for which the ratio is not asked: small answers of repeated keys compress better than any bound, and
    /// libcurl counts the bytes of a chunked body one buffer late.
    package var ratioFreeBytes: Int
    /// The largest response head, in bytes.
    package var headBytes: Int
    /// How long resolved names are kept.
    package var nameLifetime: Duration

    /// The defaults: 64 at a time, 4096 waiting, 128 idle connections, 8 MiB, 10 times beyond the first 256 KiB (metadata.md "Providers"),
    /// 64 KiB of head, names kept for 60 s.
    package init(
        concurrent: Int = 64, queued: Int = 4096, idleConnections: Int = 128, bodyBytes: Int = 8 << 20,
        decodingRatio: Int = 10, ratioFreeBytes: Int = 256 << 10, headBytes: Int = 64 << 10,
        nameLifetime: Duration = .seconds(60)
    ) {
        self.concurrent = concurrent
        self.queued = queued
        self.idleConnections = idleConnections
        self.bodyBytes = bodyBytes
        self.decodingRatio = decodingRatio
        self.ratioFreeBytes = ratioFreeBytes
        self.headBytes = headBytes
        self.nameLifetime = nameLifetime
    }
}
