import Glibc
import Testing

@testable import Transfer

@Suite("Public and private addresses of one host")
struct RefusedAddressTests {
    private static let request = TransferRequest(url: "https://books.example/", trust: .foreign)

    /// An IPv4 address as passed to the callback that opens sockets.
    private static func withSocketAddress<Value>(
        _ text: String, _ body: (UnsafePointer<sockaddr>) throws -> Value
    ) throws -> Value {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        try #require(inet_pton(AF_INET, text, &address.sin_addr) == 1)
        return try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }

    /// The refusal that a transfer records if libcurl asks it for a socket for each of `addresses` and then, unless `peer`
    /// is nil, connects to `peer`.
    private static func refusal(addresses: [String], connected peer: String?) async throws -> TransferError? {
        let easy = try #require(EasyHandle())
        defer { easy.free() }
        var transfer: CurlTransfer?
        _ = await withCheckedContinuation { caller in
            let submission = TransferSubmission(id: 1, request: request, caller: caller, submitted: .now)
            transfer = CurlTransfer(
                submission: submission, easy: easy, proxy: nil, limits: TransferLimits(), started: .now)
            caller.resume(returning: .failure(.cancelled))
        }
        let started = try #require(transfer)
        for address in addresses { _ = try withSocketAddress(address) { started.allows($0) } }
        if let peer { _ = started.connected(to: peer) }
        return started.refusal
    }

    @Test("a private address is the reason for a failure unless a public one was connected to")
    func reason() async throws {
        let onlyPrivate = try await Self.refusal(addresses: ["10.0.0.1"], connected: nil)
        #expect(onlyPrivate == .privateAddress)
        let alsoPublic = try await Self.refusal(addresses: ["10.0.0.1", "8.8.8.8"], connected: "8.8.8.8")
        #expect(alsoPublic == nil)
        let rebound = try await Self.refusal(addresses: ["8.8.8.8"], connected: "10.0.0.1")
        #expect(rebound == .privateAddress)
    }
}
