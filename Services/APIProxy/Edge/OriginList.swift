/// Origins that browsers may call from: for CORS and for WebSockets (spec/07 "CORS defaults").
struct OriginList: Sendable, Equatable {
    /// The documented apps and local development.
    static let documented = [
        "https://bookstrack.app", "https://www.bookstrack.app", "http://localhost:*", "http://127.0.0.1:*",
        "capacitor://localhost", "ionic://localhost",
    ]

    private let exact: Set<String>
    /// Origins without their port; any port, and none, is allowed.
    private let anyPort: Set<String>

    /// Entries are origins (RFC 6454 §6.2); `:*` at the end stands for any port.
    init(_ entries: [String] = documented) {
        exact = Set(entries.filter { !$0.hasSuffix(":*") }.map { $0.lowercased() })
        anyPort = Set(entries.filter { $0.hasSuffix(":*") }.map { $0.dropLast(2).lowercased() })
    }

    func allows(_ origin: String) -> Bool {
        let origin = origin.lowercased()
        if exact.contains(origin) || anyPort.contains(origin) { return true }
        guard let colon = origin.lastIndex(of: ":") else { return false }
        let port = origin[origin.index(after: colon)...]
        return !port.isEmpty && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && anyPort.contains(String(origin[..<colon]))
    }
}
