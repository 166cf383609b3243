import BookstrackContract
import Crypto
import Foundation
import HTTPTypes
import NIOCore
import ServiceKit

/// How the console may be reached and what it may do (console.md "Access").
struct ConsoleAccess: Sendable, Equatable {
    /// Minimum length of the token, in characters; shorter ones can be guessed.
    static let shortestToken = 8

    let mode: ConsoleMode
    /// SHA-256 hash of the token; nil if no token is set. If one is set, every listener requires it.
    private let tokenHash: Data?

    static let off = ConsoleAccess(mode: .off)

    /// A console without a token, for the admin listener on loopback.
    init(mode: ConsoleMode) {
        self.mode = mode
        tokenHash = nil
    }

    /// - Parameter isAdminLocal: Whether only this machine can reach the admin listener.
    /// - Throws: `SettingsError` if the token is too short, or if it is missing although the mode is `write` or other machines can reach the console.
    init(mode: ConsoleMode, token: Secret?, isAdminLocal: Bool) throws(SettingsError) {
        if let token, token.exposed.count < Self.shortestToken {
            throw .contradiction("BOOKSTRACK_CONSOLE_TOKEN must have at least \(Self.shortestToken) characters")
        }
        switch mode {
        case .write where token == nil:
            throw .contradiction(
                "BOOKSTRACK_CONSOLE=write needs BOOKSTRACK_CONSOLE_TOKEN or BOOKSTRACK_CONSOLE_TOKEN_FILE")
        case .read where token == nil && !isAdminLocal:
            throw .contradiction(
                "BOOKSTRACK_ADMIN_HOST lets other machines reach the console: set BOOKSTRACK_CONSOLE_TOKEN, "
                    + "BOOKSTRACK_CONSOLE_TOKEN_FILE or BOOKSTRACK_CONSOLE=off")
        default: break
        }
        self.mode = mode
        tokenHash = token.map { Self.hash($0.exposed) }
    }

    /// Whether operators have to log in.
    var needsLogin: Bool { tokenHash != nil }

    /// Whether the console is available on a listener.
    func isOpen(on listener: ListenerName) -> Bool { mode != .off && (listener == .admin || needsLogin) }

    /// Whether `token` is the console's token. How long this takes reveals nothing about the console's token.
    func admits(_ token: String) -> Bool { tokenHash == Self.hash(token) }

    // Hashes do not reveal where the strings differ, so comparing them need not take constant time.
    private static func hash(_ text: String) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }
}

/// Decides whether to admit console requests (console.md "Request rules").
struct ConsoleGuard: Sendable {
    /// What a request does, which decides the checks that it must pass.
    enum Purpose {
        /// Reads data.
        case reading
        /// Does not change the suite, but sends requests to other systems or ends a session.
        case asking
        /// Changes the suite.
        case acting
    }

    static let csrfField = HTTPField.Name.known("X-Console-CSRF")
    private static let fetchSite = HTTPField.Name.known("Sec-Fetch-Site")

    let access: ConsoleAccess
    let sessions: ConsoleSessions
    /// Specifies the host names under which the console may be opened. Its list of other allowed origins is empty.
    let originRule: OriginRule

    /// Admits a request and returns its caller. Throws 403 for a foreign page or host, a wrong CSRF token, and an action that the mode forbids;
    /// throws 401 if a login is needed and there is no session.
    func admit(_ fields: HTTPFields, host: String?, on channel: any Channel, for purpose: Purpose) throws(APIFailure)
        -> ConsoleCaller
    {
        try checkSender(fields, host: host, on: channel, writes: purpose != .reading)
        let session = sessions.session(SessionCookie.id(in: fields))
        guard session != nil || !access.needsLogin else {
            throw APIFailure(.unauthorized, "Log in to the console first.")
        }
        let csrf = session?.csrf ?? sessions.sharedCSRF
        guard purpose == .reading || equalInConstantTime(fields[Self.csrfField] ?? "", csrf) else {
            throw APIFailure(.forbidden, "The console's header \(Self.csrfField.rawName) is missing or wrong.")
        }
        guard purpose != .acting || access.mode == .write else {
            throw APIFailure(.forbidden, "The console is read-only; BOOKSTRACK_CONSOLE=write permits actions.")
        }
        return ConsoleCaller(
            address: originRule.trustedProxies.clientAddress(peer: channel.remoteAddress, fields: fields),
            session: session,
            csrf: csrf)
    }

    /// Returns a check for long-running responses: whether the session of an admitted request is still valid.
    func permission(of fields: HTTPFields) -> @Sendable () -> Bool {
        let id = SessionCookie.id(in: fields)
        return { [access, sessions] in !access.needsLogin || sessions.session(id) != nil }
    }

    /// Throws 403 for an unknown host name, and for a request that does not come from the console's own page. A request that only reads may also come
    /// from no page at all.
    func checkSender(
        _ fields: HTTPFields, host: String?, on channel: any Channel, writes: Bool
    ) throws(APIFailure) {
        try checkHost(host, fields, on: channel)
        if let origin = fields[.origin] {
            guard originRule.isOwn(origin, fields, host: host, on: channel) else { throw Self.foreign }
        } else if writes {
            throw Self.foreign
        }
        guard let site = fields[Self.fetchSite]?.lowercased() else { return }
        // `none` means that the user, not a page, made the request; no page can send it (https://www.w3.org/TR/fetch-metadata).
        guard site == "same-origin" || (site == "none" && !writes) else { throw Self.foreign }
    }

    /// Throws 403 for an unknown host name, which may have been rebound to this machine (DNS rebinding).
    func checkHost(_ host: String?, _ fields: HTTPFields, on channel: any Channel) throws(APIFailure) {
        try originRule.hosts.check(originRule.authority(fields, host: host, channel) ?? "", on: channel)
    }

    private static let foreign = APIFailure(.forbidden, "Only the console's own page may send this request.")
}

/// The sender of a console request.
struct ConsoleCaller: Sendable {
    let address: ClientAddress
    /// The caller's session; nil if no login is needed.
    let session: ConsoleSessions.Session?
    /// The required value of ``ConsoleGuard/csrfField`` in requests that do more than read.
    let csrf: String
}

/// Whether two strings are equal. The comparison takes a time that depends only on their lengths.
func equalInConstantTime(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
}
