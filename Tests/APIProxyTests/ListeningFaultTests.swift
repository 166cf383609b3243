import Glibc
import NIOCore
import ServiceKit
import Testing

@testable import APIProxy

@Suite("Addresses that cannot be listened at") struct ListeningFaultTests {
    @Test("an unknown host is a wrong setting, with which the start ends")
    func unknownHost() throws {
        let resolving = try #require(throws: (any Error).self) {
            try SocketAddress.makeAddressResolvingHost("no host", port: 1)
        }
        #expect(ListeningFault(resolving) == .unknownHost)
        let error = SettingsError.unusableAddress(address: "no host:1", reason: ListeningFault.unknownHost.reason)
        #expect(error.exitCode == .configuration)
        #expect("\(error)" == "cannot listen at no host:1: the host is not known")
    }

    @Test(
        "a port that is taken, or an address that is not there yet, may be tried again",
        arguments: [EADDRINUSE, EADDRNOTAVAIL])
    func mayChange(_ code: CInt) {
        #expect(ListeningFault(IOError(errnoCode: code, reason: "bind")) == nil)
    }

    @Test("a port that needs more rights is a wrong setting")
    func notAllowed() {
        #expect(ListeningFault(IOError(errnoCode: EACCES, reason: "bind")) == .notAllowed)
    }
}
