import NIOCore

/// The addresses that this machine's own requests come from.
enum OwnAddresses {
    /// Those of its network interfaces, and loopback.
    static func read() -> [String] {
        let devices = (try? System.enumerateDevices()) ?? []
        let found = devices.compactMap { $0.address?.ipAddress }
        return Set(found + ["127.0.0.1", "::1"]).sorted()
    }
}
