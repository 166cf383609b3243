import BookstrackContract
import Crypto
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import Observability
import SuiteMethods

/// The sessions of operators who have logged in (console.md "Login"). They are kept in memory, so a restart ends them.
final class ConsoleSessions: Sendable {
    /// Time from the login to the end of a session, whether it is used or not.
    static let lifetime = Duration.seconds(8 * 3_600)
    /// Maximum number of sessions; a further login ends the oldest one.
    static let limit = 100

    /// A session, without its secret identifier.
    struct Session: Sendable, Equatable {
        /// The session's name in the audit log.
        let name: String
        /// The CSRF token that the session's requests must contain if they do more than read.
        let csrf: String
        /// The clock's uptime at which the session ends.
        let end: Duration
        /// When the session ends, in milliseconds since 1970.
        let endsAt: Int64
    }

    /// The CSRF token for callers that need no login.
    let sharedCSRF = RandomText.make()
    private let clock: any SuiteClock
    /// Sessions by the SHA-256 hash of their identifiers, so neither the table nor the duration of a lookup reveals an identifier.
    private let sessions = NIOLockedValueBox<[Data: Session]>([:])

    init(clock: any SuiteClock = SystemClock()) { self.clock = clock }

    var count: Int { sessions.withLockedValue(\.count) }

    /// Begins a session with a new identifier, regardless of what the client sent, and ends the client's previous session.
    func begin(replacing old: String?) -> (id: String, session: Session) {
        let id = RandomText.make()
        let session = Session(
            name: String(RandomText.make().prefix(8)), csrf: RandomText.make(), end: clock.uptime + Self.lifetime,
            endsAt: Int64(clock.date.timeIntervalSince1970 * 1_000) + Int64(Self.lifetime / .milliseconds(1)))
        sessions.withLockedValue { sessions in
            if let old { sessions[Self.key(old)] = nil }
            sessions = sessions.filter { $0.value.end > clock.uptime }
            if sessions.count >= Self.limit, let oldest = sessions.min(by: { $0.value.end < $1.value.end })?.key {
                sessions[oldest] = nil
            }
            sessions[Self.key(id)] = session
        }
        return (id, session)
    }

    /// The session with an identifier; nil if there is none or it has ended.
    func session(_ id: String?) -> Session? {
        guard let id else { return nil }
        return sessions.withLockedValue { $0[Self.key(id)] }.flatMap { $0.end > clock.uptime ? $0 : nil }
    }

    func end(_ id: String) { sessions.withLockedValue { $0[Self.key(id)] = nil } }

    private static func key(_ id: String) -> Data { Data(SHA256.hash(data: Data(id.utf8))) }
}

/// The cookie that contains a session's identifier.
///
/// The prefix of its name makes browsers accept it only with `Secure`, `Path=/` and no `Domain`, so no other host can set it (RFC 6265bis §4.1.3.2).
/// Browsers other than Safari treat HTTP on localhost and loopback addresses as secure.
enum SessionCookie {
    static let name = "__Host-bookstrack-console"

    /// The session identifier in a request; nil if there is none.
    static func id(in fields: HTTPFields) -> String? {
        fields[values: .cookie].lazy.flatMap { $0.split(separator: ";") }.compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].filter({ $0 != " " }) == name else { return nil }
            return String(parts[1])
        }.first
    }

    static func setting(_ id: String) -> String {
        "\(name)=\(id); Path=/; Max-Age=\(ConsoleSessions.lifetime.components.seconds); Secure; HttpOnly; SameSite=Strict"
    }

    static let removal = "\(name)=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict"
}

/// Limits attempts to guess the token (console.md "Login"). Every attempt within the limits counts, even a successful one.
struct LoginThrottle: Sendable {
    static let perAddress = 5
    static let inAll = 50
    static let period = Duration.seconds(60)

    private struct Attempt {
        let client: ClientNetwork
        let at: Duration
    }

    /// The attempts of the last minute, oldest first.
    private var attempts: [Attempt] = []

    /// Counts an attempt. Throws 429 if a limit is reached; such an attempt does not count.
    mutating func enter(_ client: ClientNetwork, now: Duration) throws(APIFailure) {
        attempts.removeAll { now - $0.at >= Self.period }
        let own = attempts.filter { $0.client == client }
        let blocking = attempts.count >= Self.inAll ? attempts.first : own.count >= Self.perAddress ? own.first : nil
        guard let blocking else { return attempts.append(Attempt(client: client, at: now)) }
        let seconds = Int((Self.period - (now - blocking.at)).components.seconds) + 1
        throw APIFailure(
            .rateLimitExceeded,
            "Too many login attempts. Try again in \(seconds) \(seconds == 1 ? "second" : "seconds").",
            details: ["retryAfter": .integer(seconds)], retryAfter: seconds)
    }
}

/// Unguessable random strings.
enum RandomText {
    /// 32 random bytes from the system's generator (getrandom(2)), hashed and written as hexadecimal digits.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return SHA256.hash(data: bytes).hexadecimal
    }
}
