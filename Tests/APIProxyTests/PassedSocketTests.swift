import Glibc
import Logging
import NIOCore
import ServiceKit
import SuiteMethods
import Testing
@testable import APIProxy

@Suite("A port opened by the service manager")
struct PassedSocketTests {
    private let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test("a client that connects after one process has ended waits until the next process responds")
    func restart() async throws {
        let socket = try OpenPort()
        try await RunningProxy.run {
            $0.publicPlace = .passed(descriptor: socket.copy())
        } _: { proxy in
            #expect(proxy.port == socket.port)
            let answer = try await proxy.request("GET", "/health")
            #expect(answer.status == 200)
        }
        let waiting = try await RawConnection(port: socket.port)
        try await waiting.send("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        try await RunningProxy.run {
            $0.publicPlace = .passed(descriptor: socket.copy())
        } _: { _ in
            let answer = try HTTPAnswer(await waiting.readToEnd())
            #expect(answer.status == 200)
        }
    }

    @Test(
        "a passed socket is assigned to a listener by name, and a descriptor that is not a listening socket is refused")
    func settings() throws {
        let socket = try OpenPort()
        let passed = PassedSockets(
            environment: ["LISTEN_PID": "7", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "admin"], processID: 7,
            firstDescriptor: socket.descriptor)
        let settings = try Settings.load(arguments: [], environment: [:])
        var proxy = ProxySettings(settings)
        try proxy.take(passed, from: settings, logger: silent)
        #expect(proxy.adminPlace == .passed(descriptor: socket.descriptor))
        #expect(proxy.publicPlace == .address(host: "127.0.0.1", port: 8787))
        #expect(proxy.clientAddresses == ["http://127.0.0.1:8787"])
        shutdown(socket.descriptor, CInt(SHUT_RDWR))
        #expect(throws: SettingsError.unusableSocket(name: "admin", reason: "it is not a listening TCP socket")) {
            try proxy.take(passed, from: settings, logger: silent)
        }
    }

    @Test(
        "the reported settings and the URLs for clients contain the address of the passed socket, not the configured one",
        arguments: [nil, "https://books.example.org"])
    func address(publicURL: String?) throws {
        let socket = try OpenPort()
        let passed = PassedSockets(
            environment: ["LISTEN_PID": "7", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "public"], processID: 7,
            firstDescriptor: socket.descriptor)
        var environment = ["BOOKSTRACK_HTTP_HOST": "192.0.2.7", "BOOKSTRACK_HTTP_PORT": "9000"]
        environment["BOOKSTRACK_PUBLIC_URL"] = publicURL
        let settings = try Settings.load(arguments: [], environment: environment)
        var proxy = ProxySettings(settings)
        try proxy.take(passed, from: settings, logger: silent)
        let source = "socket unit of the service manager"
        #expect(proxy.reported("BOOKSTRACK_HTTP_HOST") == ["127.0.0.1", source])
        #expect(proxy.reported("BOOKSTRACK_HTTP_PORT") == ["\(socket.port)", source])
        #expect(proxy.reported("BOOKSTRACK_ADMIN_PORT") == ["9787", "default"])
        #expect(proxy.clientAddresses == [publicURL ?? "http://127.0.0.1:\(socket.port)"])
    }
}

extension ProxySettings {
    /// The reported value of a setting and its source.
    func reported(_ name: String) -> [String] {
        reported.filter { $0.name == name }.flatMap { [$0.value, $0.source] }
    }
}

/// A listening socket on a free loopback port, as a service manager opens it.
final class OpenPort: Sendable {
    let descriptor: CInt
    let port: Int

    init() throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        // A sockaddr_in for 127.0.0.1 and any port (ip(7)): family in host byte order, then port and address in network
        // byte order.
        var address = withUnsafeBytes(of: sa_family_t(AF_INET)) { Array($0) } + [0, 0, 127, 0, 0, 1]
        address += [UInt8](repeating: 0, count: 8)
        var size = socklen_t(address.count)
        let descriptor = descriptor
        let result = address.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { pointer in
                bind(descriptor, pointer.baseAddress, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, pointer.baseAddress, &size) == 0
            }
        }
        try #require(result)
        port = Int(address[2]) << 8 | Int(address[3])
    }

    deinit { close(descriptor) }

    /// A duplicate of the descriptor for a process that is started with it.
    func copy() -> CInt { dup(descriptor) }
}

@Suite("Addresses that cannot be listened on") struct ListeningFaultTests {
    @Test("an unknown host is reported as an invalid setting")
    func unknownHost() throws {
        let resolving = try #require(throws: (any Error).self) {
            try SocketAddress.makeAddressResolvingHost("no host", port: 1)
        }
        #expect(ListeningFault(resolving) == .unknownHost)
        let error = SettingsError.unusableAddress(address: "no host:1", reason: ListeningFault.unknownHost.reason)
        #expect(error.exitCode == .configuration)
        #expect("\(error)" == "cannot listen on no host:1: unknown host")
    }

    @Test(
        "a start may be retried if the port is in use or the address is not available yet",
        arguments: [EADDRINUSE, EADDRNOTAVAIL])
    func mayChange(_ code: CInt) {
        #expect(ListeningFault(IOError(errnoCode: code, reason: "bind")) == nil)
    }

    @Test("a port that requires more privileges is an invalid setting")
    func notAllowed() {
        #expect(ListeningFault(IOError(errnoCode: EACCES, reason: "bind")) == .notAllowed)
    }
}
