/// A stored token without its text: what may be done with it at a moment.
struct TokenState: Sendable, Equatable {
    /// Number of its row.
    var number: Int64
    /// Milliseconds since 1970.
    var expiresAt: Int64
    var revoked: Bool
    /// A newer token took its place; it lives out its grace and never moves on by itself.
    var superseded: Bool
    /// Its client was ready once; it is not waited for again.
    var ready = false

    /// What presenting the token proves.
    enum Verdict: Sendable, Equatable {
        case valid
        case expired
        case revoked
    }

    func verdict(at now: Moment) -> Verdict {
        if revoked { return .revoked }
        return now.settled < expiresAt ? .valid : .expired
    }

    /// Whether showing it with a repeated start gets a further token: also after it expired, since starting again is how a client whose token
    /// expired comes back; not after a newer token took its place.
    func provesEarlierStart(at now: Moment) -> Bool {
        switch verdict(at: now) {
        case .valid: true
        case .expired: !superseded
        case .revoked: false
        }
    }

    /// What a request to rotate the token leads to.
    enum Rotation: Sendable, Equatable {
        /// The old token ends at `oldExpiresAt`; a new one is issued.
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
            let untilWindow = expiresAt - now.settled - policy.refreshWindow.milliseconds
            guard untilWindow <= 0 else { return .tooEarly(secondsUntilWindow: Int((untilWindow + 999) / 1_000)) }
            return .rotate(oldExpiresAt: min(expiresAt, now.settled + policy.rotationGrace.milliseconds))
        }
    }

    /// The new expiry when a live socket lets the token move on by itself, nil when it is not time or not allowed.
    func extended(at now: Moment, policy: TokenPolicy) -> Int64? {
        guard verdict(at: now) == .valid, !superseded,
            expiresAt - now.settled <= policy.refreshWindow.milliseconds
        else { return nil }
        return now.wall + policy.life.milliseconds
    }
}
