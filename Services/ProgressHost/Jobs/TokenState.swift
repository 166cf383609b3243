import Crypto
import Foundation
import Observability
import ServiceKit

/// A stored token without its text, and the rules for its use.
struct TokenState: Sendable, Equatable {
    /// Number of the token's row.
    var number: Int64
    /// When the token expires, in milliseconds since 1970.
    var expiresAt: Int64
    var revoked: Bool
    /// Whether a newer token has replaced this one, which then stays valid for at most its grace period and is never extended.
    var superseded: Bool
    /// Whether the token's client has ever sent `ready`; if so, the server does not wait for it again.
    var ready = false
    /// `seq` of the newest event acknowledged by the token's client; 0 if there is none.
    var delivered = 0

    /// The result of verifying the token.
    enum Verdict: Sendable, Equatable {
        case valid
        case expired
        case revoked
    }

    func verdict(at now: Moment) -> Verdict {
        if revoked { return .revoked }
        return now.settled < expiresAt ? .valid : .expired
    }

    /// Whether this token, presented with a repeated start, entitles the caller to another one. Even an expired token does, so its client can regain
    /// access by repeating the start, unless a newer token has replaced it.
    func provesEarlierStart(at now: Moment) -> Bool {
        switch verdict(at: now) {
        case .valid: true
        case .expired: !superseded
        case .revoked: false
        }
    }

    /// The time until the token may be rotated and is extended, in milliseconds; not positive in the last part of its lifetime. Clients know the
    /// expiry as a time of day, so it is compared with the wall clock, which settled time may trail by hours.
    private func untilWindow(at now: Moment, policy: TokenPolicy) -> Int64 {
        expiresAt - now.wall - policy.refreshWindow.milliseconds
    }

    /// The result of a request to rotate the token.
    enum Rotation: Sendable, Equatable {
        /// The old token expires at `oldExpiresAt`; a new one is issued.
        case rotate(oldExpiresAt: Int64)
        case tooEarly(secondsUntilWindow: Int)
        case expired
        case revoked
    }

    func rotation(at now: Moment, policy: TokenPolicy) -> Rotation {
        switch verdict(at: now) {
        case .revoked: return .revoked
        case .expired: return .expired
        case .valid:
            let untilWindow = untilWindow(at: now, policy: policy)
            guard untilWindow <= 0 else { return .tooEarly(secondsUntilWindow: Int((untilWindow + 999) / 1_000)) }
            return .rotate(oldExpiresAt: min(expiresAt, now.settled + policy.rotationGrace.milliseconds))
        }
    }

    /// The new expiry if a live socket extends the token; nil if that is too early or not allowed.
    func extended(at now: Moment, policy: TokenPolicy) -> Int64? {
        guard verdict(at: now) == .valid, !superseded, untilWindow(at: now, policy: policy) <= 0 else { return nil }
        return now.wall + policy.ttl.milliseconds
    }
}

/// How long tokens are valid, and when they may be rotated (websocket.md "Tokens").
struct TokenPolicy: Sendable {
    /// Time from issue to expiry.
    var ttl = SettingKey.tokenTTL.fallback
    /// The last part of a token's lifetime, in which it may be rotated and, while a socket is open, is extended automatically.
    var refreshWindow = SettingKey.tokenRefreshWindow.fallback
    /// Maximum time for which a rotated token stays valid.
    var rotationGrace: Duration = .seconds(300)
}

/// A token as clients present it: 192 bits, random or derived from a random key. Only the hash is stored (websocket.md "Tokens").
struct TokenText: Sendable {
    /// Length in bytes.
    static let length = 24

    let text: String

    init(text: String) { self.text = text }

    /// The token in base64url, which has only unreserved characters (RFC 4648 §5).
    init(bytes: Data) {
        text = bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    }

    /// Creates a token from the system's random source.
    static func random() -> TokenText {
        var source = SystemRandomNumberGenerator()
        return TokenText(bytes: Data((0..<length).map { _ in UInt8.random(in: .min ... .max, using: &source) }))
    }

    /// The stored hash.
    var hash: Data { Data(SHA256.hash(data: Data(text.utf8))) }
}

/// Compares hashes in a time that does not depend on where they differ.
func equalInConstantTime(_ left: Data, _ right: Data) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}

/// Values that are waiting to be stored, one per token, by the token's number.
struct UnstoredValues<Value: Equatable> {
    private var waiting: [Int64: Value] = [:]
    /// The values written in this turn; once they are committed, they are removed from `waiting`.
    private var written: [Int64: Value] = [:]

    /// The value of a token; nil if none is waiting to be stored.
    subscript(token: Int64) -> Value? {
        get { waiting[token] }
        set { waiting[token] = newValue }
    }

    /// Returns all waiting values, and remembers that this turn writes them.
    mutating func write() -> [Int64: Value] {
        written = waiting
        return waiting
    }

    /// Called after the commit: removes the written values from those that wait, unless they have changed since.
    mutating func keepChanges() {
        guard !written.isEmpty else { return }
        for (token, value) in written where waiting[token] == value { waiting[token] = nil }
        written = [:]
    }

    /// Called after a failed transaction, which stored nothing: the values keep waiting.
    mutating func undoChanges() { written = [:] }
}
