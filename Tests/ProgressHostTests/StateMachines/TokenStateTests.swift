import Foundation
import Testing

@testable import ProgressHost

@Suite("Token state")
struct TokenStateTests {
    private static let policy = TokenPolicy()
    private static let expiresAt: Int64 = 7_200_000

    private func token(revoked: Bool = false, superseded: Bool = false, expiresAt: Int64 = expiresAt) -> TokenState {
        TokenState(number: 1, expiresAt: expiresAt, revoked: revoked, superseded: superseded)
    }

    private func at(_ wall: Int64) -> Moment { Moment(uptime: .zero, wall: wall) }

    @Test("a token is valid until the millisecond of its expiry")
    func expiry() {
        #expect(token().verdict(at: at(7_199_999)) == .valid)
        #expect(token().verdict(at: at(7_200_000)) == .expired)
        #expect(token(revoked: true).verdict(at: at(0)) == .revoked)
    }

    @Test("rotation opens exactly 30 minutes before the end; before, it says in how many seconds")
    func window() {
        #expect(token().rotation(at: at(5_400_000), policy: Self.policy) == .rotate(oldExpiresAt: 5_700_000))
        #expect(token().rotation(at: at(5_399_999), policy: Self.policy) == .tooEarly(secondsUntilWindow: 1))
        #expect(token().rotation(at: at(0), policy: Self.policy) == .tooEarly(secondsUntilWindow: 5_400))
    }

    @Test("the old token stays good for 5 minutes, but never longer than it would have lived")
    func grace() {
        #expect(token().rotation(at: at(7_000_000), policy: Self.policy) == .rotate(oldExpiresAt: Self.expiresAt))
        #expect(token().rotation(at: at(6_000_000), policy: Self.policy) == .rotate(oldExpiresAt: 6_300_000))
    }

    @Test("an expired or revoked token cannot be rotated")
    func noRotation() {
        #expect(token().rotation(at: at(7_200_000), policy: Self.policy) == .expired)
        #expect(token(revoked: true).rotation(at: at(6_000_000), policy: Self.policy) == .revoked)
    }

    @Test("a live socket's token moves on in the last 30 minutes only")
    func extension_() {
        #expect(token().extended(at: at(5_399_999), policy: Self.policy) == nil)
        #expect(token().extended(at: at(5_400_000), policy: Self.policy) == 12_600_000)
        #expect(token().extended(at: at(7_199_999), policy: Self.policy) == 14_399_999)
    }

    @Test("a rotated, revoked or expired token never moves on by itself")
    func noExtension() {
        #expect(token(superseded: true).extended(at: at(6_000_000), policy: Self.policy) == nil)
        #expect(token(revoked: true).extended(at: at(6_000_000), policy: Self.policy) == nil)
        #expect(token().extended(at: at(7_200_000), policy: Self.policy) == nil)
    }

    @Test("a new token has 192 bits in unreserved characters, and no two are equal")
    func text() {
        let texts = (0..<1_000).map { _ in TokenText.random().text }
        #expect(Set(texts).count == 1_000)
        #expect(
            texts.allSatisfy {
                $0.utf8.count == 32
                    && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._~".contains($0)) }
            })
    }

    @Test("hashes are compared whole")
    func comparison() {
        let hash = TokenText(text: "a").hash
        var other = hash
        other[31] ^= 1
        #expect(equalInConstantTime(hash, TokenText(text: "a").hash))
        #expect(!equalInConstantTime(hash, other))
        #expect(!equalInConstantTime(hash, hash.dropLast()))
    }
}
