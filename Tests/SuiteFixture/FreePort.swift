import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Finds a free loopback port outside the ephemeral range, so no outgoing connection takes the port while its service is down.
package enum FreePort {
    /// Ports below the range for outgoing connections (ip(7), ip_local_port_range).
    private static let candidates = max(1_024, firstOutgoing - 20_000)..<firstOutgoing
    private static let place = NIOLockedValueBox(Int.random(in: 0..<candidates.count))

    /// Returns a free port. No port is returned a second time until all have been tried.
    package static func find() async throws -> Int {
        for _ in candidates {
            let port = next()
            if let channel = try? await listen(port) {
                try await channel.close()
                return port
            }
        }
        throw ServiceProcess.Failure(description: "none of the ports \(candidates) is free")
    }

    private static func next() -> Int {
        place.withLockedValue { place in
            place = (place + 1) % candidates.count
            return candidates.lowerBound + place
        }
    }

    private static func listen(_ port: Int) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: port).get()
    }

    /// The first port for outgoing connections, but at least 2 048, so there are ports below it.
    private static var firstOutgoing: Int {
        let range = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        return max(2_048, range?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) } ?? 32_768)
    }
}
