import BookstrackContract
import HTTPTypes
import ServiceKit
import Testing
import TestSupport

@testable import APIProxy

@Suite("Access to the console") struct ConsoleAccessTests {
    private static let token = Secret("a token of the console")

    private func access(_ mode: ConsoleMode, _ token: Secret? = nil, isAdminLocal: Bool = true) throws -> ConsoleAccess
    {
        try ConsoleAccess(mode: mode, token: token, isAdminLocal: isAdminLocal)
    }

    @Test(
        "with no token, the console is read-only, on the admin listener, and only if other machines cannot reach that listener"
    )
    func withoutToken() throws {
        let local = try access(.read)
        #expect(local.isOpen(on: .admin))
        #expect(!local.isOpen(on: .public))
        #expect(!local.needsLogin)
        #expect(throws: SettingsError.self) { try access(.read, isAdminLocal: false) }
        #expect(throws: SettingsError.self) { try access(.write) }
    }

    @Test(
        "with a token, every listener requires it, and actions can be enabled", arguments: [ConsoleMode.read, .write])
    func withToken(mode: ConsoleMode) throws {
        let open = try access(mode, Self.token, isAdminLocal: false)
        #expect(open.isOpen(on: .admin))
        #expect(open.isOpen(on: .public))
        #expect(open.needsLogin)
        #expect(open.admits(Self.token.exposed))
        for other in ["", "a token of the consol", "A token of the console", "a token of the console "] {
            #expect(!open.admits(other), "\(other)")
        }
    }

    @Test("if no token is configured, no token is accepted")
    func noTokenIsRight() throws {
        #expect(try !access(.read).admits(""))
    }

    @Test("if switched off, the console is on no listener, whatever else is set")
    func off() throws {
        for token in [nil, Self.token] {
            let off = try access(.off, token, isAdminLocal: false)
            #expect(!off.isOpen(on: .admin))
            #expect(!off.isOpen(on: .public))
        }
    }

    @Test("a token that is easy to guess is rejected")
    func shortToken() {
        #expect(throws: SettingsError.self) { try access(.read, Secret("1234567")) }
        #expect(throws: Never.self) { try access(.read, Secret("12345678")) }
    }

    @Test("console access depends on the admin listener's address, even for a socket passed by the service manager")
    func place() throws {
        let port = try OpenPort()
        let settings = try Settings.load(arguments: [], environment: [:])
        for place in [
            ListeningPlace.address(host: "127.0.0.1", port: 0), .address(host: "localhost", port: 0),
            .address(host: "::1", port: 0), .passed(descriptor: port.descriptor),
        ] {
            var proxy = ProxySettings(publicPlace: place, adminPlace: place)
            try proxy.openConsole(settings)
            #expect(proxy.console.isOpen(on: .admin), "\(place)")
        }
        for host in ["0.0.0.0", "::", "192.0.2.1", "books.example.org"] {
            var proxy = ProxySettings(
                publicPlace: .address(host: "127.0.0.1", port: 0), adminPlace: .address(host: host, port: 0))
            #expect(throws: SettingsError.self, "\(host)") { try proxy.openConsole(settings) }
        }
    }
}

@Suite("Console sessions") struct ConsoleSessionTests {
    private let clock = ManualClock()

    @Test("a session lasts eight hours from its login, however much it is used")
    func lifetime() {
        let sessions = ConsoleSessions(clock: clock)
        let (id, session) = sessions.begin(replacing: nil)
        clock.move(by: .seconds(8 * 3_600 - 1))
        #expect(sessions.session(id) == session)
        clock.move(by: .seconds(1))
        #expect(sessions.session(id) == nil)
    }

    @Test("a login creates a new identifier and ends the session that the client had")
    func fixation() {
        let sessions = ConsoleSessions(clock: clock)
        #expect(sessions.session("chosen by an attacker") == nil)
        let first = sessions.begin(replacing: "chosen by an attacker")
        #expect(first.id != "chosen by an attacker")
        #expect(sessions.session("chosen by an attacker") == nil)
        let second = sessions.begin(replacing: first.id)
        #expect(second.id != first.id)
        #expect(second.session.csrf != first.session.csrf)
        #expect(sessions.session(first.id) == nil)
        #expect(sessions.session(second.id) == second.session)
    }

    @Test("a logout ends only its own session")
    func logout() {
        let sessions = ConsoleSessions(clock: clock)
        let (one, other) = (sessions.begin(replacing: nil), sessions.begin(replacing: nil))
        sessions.end(one.id)
        #expect(sessions.session(one.id) == nil)
        #expect(sessions.session(other.id) != nil)
    }

    @Test("there are at most a hundred sessions, and a new one replaces the oldest")
    func limit() {
        let sessions = ConsoleSessions(clock: clock)
        let first = sessions.begin(replacing: nil).id
        clock.move(by: .seconds(1))
        let second = sessions.begin(replacing: nil).id
        for _ in 2...ConsoleSessions.limit { _ = sessions.begin(replacing: nil) }
        #expect(sessions.count == ConsoleSessions.limit)
        #expect(sessions.session(first) == nil)
        #expect(sessions.session(second) != nil)
    }

    @Test("identifiers are long, and no two are equal")
    func identifiers() {
        let sessions = ConsoleSessions(clock: clock)
        let ids = (0..<50).map { _ in sessions.begin(replacing: nil).id }
        #expect(Set(ids).count == 50)
        #expect(ids.allSatisfy { $0.count == 64 })
    }

    @Test("the cookie is found among others, and only by its own name")
    func cookie() {
        func id(_ fields: String...) -> String? {
            SessionCookie.id(in: HTTPFields(fields.map { HTTPField(name: .cookie, value: $0) }))
        }
        #expect(id("a=1; __Host-bookstrack-console=abc; b=2") == "abc")
        #expect(id("a=1", "__Host-bookstrack-console=abc") == "abc")
        #expect(id("bookstrack-console=abc; x__Host-bookstrack-console=abc") == nil)
        #expect(id() == nil)
    }
}

@Suite("Guesses of the console token") struct LoginThrottleTests {
    private func client(_ text: String) throws -> ClientNetwork {
        ClientNetwork(try #require(ClientAddress(text)))
    }

    private func seconds(_ throttle: inout LoginThrottle, _ address: String, _ now: Duration) throws -> Int? {
        let client = try client(address)
        do {
            try throttle.enter(client, now: now)
            return nil
        } catch {
            #expect(error.code == .rateLimitExceeded)
            let seconds = try #require(error.retryAfter)
            #expect(error.message == "Too many login attempts. Try again in \(seconds) seconds.")
            return seconds
        }
    }

    @Test("an address has five attempts a minute, and the response states when the next one is allowed")
    func perAddress() throws {
        var throttle = LoginThrottle()
        for second in 0..<5 { #expect(try seconds(&throttle, "192.0.2.1", .seconds(second)) == nil) }
        #expect(try seconds(&throttle, "192.0.2.1", .seconds(10)) == 51)
        #expect(try seconds(&throttle, "192.0.2.2", .seconds(10)) == nil)
        #expect(try seconds(&throttle, "192.0.2.1", .seconds(59)) == 2)
        #expect(try seconds(&throttle, "192.0.2.1", .seconds(60)) == nil)
        #expect(try seconds(&throttle, "192.0.2.1", .seconds(60)) != nil)
    }

    @Test("all addresses together have fifty attempts a minute")
    func inAll() throws {
        var throttle = LoginThrottle()
        for number in 0..<50 { #expect(try seconds(&throttle, "192.0.2.\(number)", .zero) == nil) }
        #expect(try seconds(&throttle, "198.51.100.1", .seconds(1)) == 60)
        #expect(try seconds(&throttle, "198.51.100.1", .seconds(60)) == nil)
    }

    @Test("the addresses in one IPv6 network share their attempts")
    func network() throws {
        var throttle = LoginThrottle()
        for number in 1...5 { #expect(try seconds(&throttle, "2001:db8::\(number)", .zero) == nil) }
        #expect(try seconds(&throttle, "2001:db8::ffff", .zero) != nil)
        #expect(try seconds(&throttle, "2001:db8:0:1::1", .zero) == nil)
    }
}
