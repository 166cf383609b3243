import BookstrackContract
import HTTPTypes
import ServiceKit
import Testing
import TestSupport

@testable import APIProxy

@Suite("Console access") struct ConsoleAccessTests {
    private static let token = Secret("a token of the console")

    private func access(_ mode: ConsoleMode, _ token: Secret? = nil, isAdminLocal: Bool = true) throws -> ConsoleAccess
    {
        try ConsoleAccess(mode: mode, token: token, isAdminLocal: isAdminLocal)
    }

    @Test(
        "without a token, the console is read-only and is served only on an admin listener that other machines cannot reach"
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
        "with a token configured, every listener serves the console but requires exactly that token",
        arguments: [ConsoleMode.read, .write])
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

    @Test("if no token is configured, an empty token is not accepted")
    func noTokenIsRight() throws {
        #expect(try !access(.read).admits(""))
    }

    @Test("a console that is switched off is not served on any listener, with or without a token")
    func off() throws {
        for token in [nil, Self.token] {
            let off = try access(.off, token, isAdminLocal: false)
            #expect(!off.isOpen(on: .admin))
            #expect(!off.isOpen(on: .public))
        }
    }

    @Test("a console token shorter than eight characters is rejected")
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

    @Test("a session expires eight hours after login, even if it is in use")
    func lifetime() {
        let sessions = ConsoleSessions(clock: clock)
        let (id, session) = sessions.begin(replacing: nil)
        clock.move(by: .seconds(8 * 3_600 - 1))
        #expect(sessions.session(id) == session)
        clock.move(by: .seconds(1))
        #expect(sessions.session(id) == nil)
    }

    @Test("a login creates a new session identifier and ends the client's previous session")
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

    @Test("at most a hundred sessions exist, and a new one beyond that replaces the oldest")
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

    @Test("session identifiers are 64 characters long and unique")
    func identifiers() {
        let sessions = ConsoleSessions(clock: clock)
        let ids = (0..<50).map { _ in sessions.begin(replacing: nil).id }
        #expect(Set(ids).count == 50)
        #expect(ids.allSatisfy { $0.count == 64 })
    }

    @Test("the session cookie is found among other cookies, and only by its exact name")
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

@Suite("Console login throttling") struct LoginThrottleTests {
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

    @Test("an address may make five login attempts a minute, and a refusal states when the next attempt is allowed")
    func perAddress() throws {
        var throttle = LoginThrottle()
        for second in 0..<5 { #expect(try seconds(&throttle, "192.0.2.1", .seconds(second)) == nil) }
        #expect(try seconds(&throttle, "192.0.2.1", .seconds(10)) == 51)
        #expect(try seconds(&throttle, "192.0.2.2", .seconds(10)) == nil)
        #expect(try seconds(&throttle, "192.0.2.1", .seconds(59)) == 2)
        #expect(try seconds(&throttle, "192.0.2.1", .seconds(60)) == nil)
        #expect(try seconds(&throttle, "192.0.2.1", .seconds(60)) != nil)
    }

    @Test("all addresses together may make fifty login attempts a minute")
    func inAll() throws {
        var throttle = LoginThrottle()
        for number in 0..<50 { #expect(try seconds(&throttle, "192.0.2.\(number)", .zero) == nil) }
        #expect(try seconds(&throttle, "198.51.100.1", .seconds(1)) == 60)
        #expect(try seconds(&throttle, "198.51.100.1", .seconds(60)) == nil)
    }

    @Test("addresses in the same IPv6 network share one login attempt limit")
    func network() throws {
        var throttle = LoginThrottle()
        for number in 1...5 { #expect(try seconds(&throttle, "2001:db8::\(number)", .zero) == nil) }
        #expect(try seconds(&throttle, "2001:db8::ffff", .zero) != nil)
        #expect(try seconds(&throttle, "2001:db8:0:1::1", .zero) == nil)
    }
}
