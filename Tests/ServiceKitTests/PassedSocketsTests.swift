import Glibc
import ServiceKit
import Testing

@Suite("Sockets passed by the service manager")
struct PassedSocketsTests {
    private func sockets(_ environment: [String: String]) -> PassedSockets {
        PassedSockets(environment: environment, processID: 7)
    }

    @Test("passed sockets have the names given in the environment, and a socket without a name is called unknown")
    func names() {
        #expect(
            sockets(["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "public:admin"]).names == [
                "admin", "public",
            ])
        #expect(
            sockets(["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "public"]).names == ["public", "unknown"])
        #expect(sockets(["LISTEN_PID": "7", "LISTEN_FDS": "1"]).names == ["unknown"])
    }

    @Test("no sockets are passed if the variables are absent, invalid or meant for another process")
    func otherProcess() {
        for environment in [
            [:], ["LISTEN_PID": "8", "LISTEN_FDS": "1"], ["LISTEN_FDS": "1"], ["LISTEN_PID": "7"],
            ["LISTEN_PID": "7", "LISTEN_FDS": "0"], ["LISTEN_PID": "7", "LISTEN_FDS": "-1"],
            ["LISTEN_PID": "7", "LISTEN_FDS": "many"], ["LISTEN_PID": "7", "LISTEN_FDS": "100000"],
        ] { #expect(sockets(environment).names.isEmpty) }
    }

    @Test("a listening TCP socket is found by its name and is set to close on exec")
    func listening() throws {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let environment = ["LISTEN_PID": "7", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "public"]
        let passed = PassedSockets(environment: environment, processID: 7, firstDescriptor: descriptor)
        #expect(throws: SettingsError.unusableSocket(name: "public", reason: "it is not a listening TCP socket")) {
            try passed.listeningSocket(named: "public")
        }
        try #require(listen(descriptor, 1) == 0)
        #expect(try passed.listeningSocket(named: "public") == descriptor)
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(try passed.listeningSocket(named: "admin") == nil)
    }

    @Test("two sockets of the same name are refused, because clients of the second one would never be served")
    func twoOfOneName() {
        let passed = sockets(["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "public:public"])
        #expect(passed.names == ["public"])
        let error = #expect(throws: SettingsError.self) { try passed.listeningSocket(named: "public") }
        #expect(
            error?.description
                == "cannot use the passed socket public: the socket unit passes 2 sockets of this name, and only one can be "
                + "served; use one ListenStream= (a port alone, such as 8787, listens on IPv4 and IPv6)")
    }
}
