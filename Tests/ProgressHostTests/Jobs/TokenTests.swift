import BookstrackContract
import Foundation
import GRDB
import JSONRPC
import NIOCore
import SuiteMethods
import Testing
@testable import ProgressHost

@Suite("Job tokens")
struct TokenTests {
    @Test("before its last 30 minutes, a token cannot be refreshed, and the error states when it can be")
    func tooEarly() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        host.advance(by: .seconds(5_000))
        let failure = #expect(throws: HostFailure.tokenRefreshTooEarly(seconds: 400)) {
            try host.refresh(token: job.token)
        }
        let details = try #require(failure?.rpc.detail.details)
        #expect(try JSON(details.readableBytesView)["refreshableInSeconds"]?.integer == 400)
        #expect(failure?.rpc.detail.code == "TOKEN_REFRESH_TOO_EARLY")
    }

    @Test("while a clock set ahead is not trusted yet, a token can be refreshed in the last 30 minutes by that clock")
    func clockAhead() throws {
        let host = try TestHost()
        host.clock.stepWall(by: .seconds(8 * 3_600))
        let job = try host.create(books: 1)
        host.advance(by: .seconds(5_000))
        #expect(throws: HostFailure.tokenRefreshTooEarly(seconds: 400)) { try host.refresh(token: job.token) }
        host.advance(by: .seconds(400))
        #expect(host.clock.now().settled < host.clock.now().wall)
        #expect(try host.refresh(token: job.token).token != job.token)
    }

    @Test("a refreshed token is valid for 2 h, and the old one for 5 more minutes")
    func rotation() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        host.advance(by: .seconds(5_400))
        let fresh = try host.refresh(token: job.token)
        #expect(fresh.token == fresh.newToken)
        #expect(fresh.token != job.token)
        #expect(fresh.expiresAt == "2025-11-15T23:30:00.000Z")
        host.advance(by: .seconds(299))
        #expect(try host.state(token: job.token).jobId == job.jobId)
        host.advance(by: .seconds(1))
        #expect(throws: HostFailure.tokenExpired) { try host.state(token: job.token) }
        host.advance(by: .seconds(6_899))
        #expect(try host.state(token: fresh.token).jobId == job.jobId)
        host.advance(by: .seconds(1))
        #expect(throws: HostFailure.tokenExpired) { try host.state(token: fresh.token) }
    }

    @Test("an expired token cannot be refreshed, and a wrong one reveals nothing about the job")
    func refused() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        host.advance(by: .seconds(7_200))
        #expect(throws: HostFailure.tokenExpired) { try host.refresh(token: job.token) }
        #expect(throws: HostFailure.unauthorized) { try host.refresh(token: "wrong") }
        #expect(throws: HostFailure.unauthorized) { try host.refresh(JobID("no-such-job")!, token: job.token) }
        #expect(throws: HostFailure.tokenExpired) { try host.open(token: job.token) }
        #expect(throws: HostFailure.unauthorized) { try host.open(token: "wrong") }
        #expect(HostFailure.tokenExpired.rpc.detail.code == "TOKEN_EXPIRED")
        #expect(HostFailure.unauthorized.rpc.detail.code == "UNAUTHORIZED")
    }

    @Test(
        "a live socket's token is extended even if the refresh window is shorter than the housekeeping interval",
        arguments: [1, 4, 20])
    func shortWindow(seconds: Int) throws {
        var policy = HostPolicy()
        policy.tokens.ttl = .seconds(40)
        policy.tokens.refreshWindow = .seconds(seconds)
        let host = try TestHost(policy)
        let job = try host.create(books: 1)
        let socket = try host.watch(token: job.token)
        for _ in 0..<20 {
            host.advance(by: .seconds(10))
            try host.alive(socket)
        }
        #expect(try host.state(token: job.token).jobId == job.jobId)
    }

    @Test("one job's token does not work for another job")
    func boundToJob() throws {
        let host = try TestHost()
        let first = try host.create(JobID("job-number-1")!, books: 1)
        let second = try host.create(JobID("job-number-2")!, books: 1)
        #expect(throws: HostFailure.unauthorized) { try host.state(second.jobId, token: first.token) }
    }

    @Test("a live socket's token is extended automatically, and other tokens are not")
    func movesOn() throws {
        let host = try TestHost()
        let watched = try host.create(JobID("job-number-1")!, books: 1)
        let alone = try host.create(JobID("job-number-2")!, books: 1)
        let socket = try host.watch(watched.jobId, token: watched.token)
        for _ in 0..<1_000 {
            host.advance(by: .seconds(20))
            try host.alive(socket)
        }
        #expect(try host.state(watched.jobId, token: watched.token).jobId == watched.jobId)
        #expect(throws: HostFailure.tokenExpired) { try host.state(alone.jobId, token: alone.token) }
        try host.closed(socket)
        host.advance(by: .seconds(7_300))
        #expect(throws: HostFailure.tokenExpired) { try host.state(watched.jobId, token: watched.token) }
    }

    @Test("while a clock set ahead is not trusted yet, a live socket's token is extended in time by that clock")
    func extendedWhileAhead() throws {
        let host = try TestHost()
        host.clock.stepWall(by: .seconds(8 * 3_600))
        let job = try host.create(books: 1)
        let socket = try host.watch(token: job.token)
        func expiry() throws -> Int64? {
            try host.pool.read { try Int64.fetchOne($0, sql: "SELECT expires_at FROM token") }
        }
        let first = try #require(try expiry())
        for _ in 0..<100 {
            host.advance(by: .seconds(60))
            try host.alive(socket)
        }
        #expect(host.clock.now().wall < first)
        #expect(try #require(try expiry()) > first)
    }

    @Test("rotation and expiry of a live socket's token close no socket")
    func socketsStay() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let socket = try host.watch(token: job.token)
        for _ in 0..<270 {
            host.advance(by: .seconds(20))
            try host.alive(socket)
        }
        // The token is rotated at the moment when it could have been extended.
        host.clock.move(by: .seconds(1))
        #expect(try host.refresh(token: job.token).token != job.token)
        for _ in 0..<400 {
            host.advance(by: .seconds(20))
            try host.alive(socket)
        }
        #expect(host.proxy.take(socket).close == nil)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        #expect(host.proxy.take(socket).story.suffix(2) == ["job_complete", "close 1000"])
    }

    @Test("a rotation that is rolled back makes no other client count as ready")
    func rotationRolledBack() throws {
        struct Fault: Error {}
        let host = try TestHost()
        let job = try host.create(books: 1)
        try host.closed(try host.watch(token: job.token))
        host.advance(by: .seconds(5_500))
        let rotation = host.command(durable: true) { engine, turn in
            try engine.tokens.refresh(TokenRefreshRequest(jobId: job.jobId, oldToken: job.token), turn)
        }
        let failing = host.command { _, _ in throw Fault() }
        host.group([rotation.command, failing.command])
        #expect(throws: HostFailure.storage("an internal error")) { try rotation.answer.value() }
        let other = try host.create(JobID("other-job")!, books: 1)
        _ = try TestWorker(host).claim()
        let socket = try host.open(other.jobId, token: other.token)
        #expect(host.proxy.take(socket).isEmpty)
    }

    @Test("tokens are stored only as hashes")
    func hashes() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        try host.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        let stored = try host.pool.read { try Row.fetchAll($0, sql: "SELECT * FROM token") }
        #expect(stored.count == 1)
        #expect(!"\(stored)".contains(job.token))
        #expect(try host.pool.read { try Int.fetchOne($0, sql: "SELECT length(hash) FROM token") } == 32)
    }

    @Test("a revoked token gives no access")
    func revoked() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        try host.perform { _, turn in try turn.db.execute(sql: "UPDATE token SET revoked = 1") }
        #expect(throws: HostFailure.unauthorized) { try host.open(token: job.token) }
        #expect(throws: HostFailure.unauthorized) { try host.refresh(token: job.token) }
    }

    @Test("a job can be cancelled without a token only if its identifier cannot be guessed")
    func cancelWithoutToken() throws {
        let host = try TestHost()
        let id = JobID("0B0C3F6E-58a6-4a0b-9b0e-3f5d1f2f7a10")!
        try host.create(id, books: 1)
        try host.create(books: 1)
        #expect(throws: HostFailure.unauthorized) { try host.cancel(token: nil) }
        #expect(throws: HostFailure.unauthorized) { try host.cancel(id, token: "wrong") }
        #expect(try host.cancel(id, token: nil).status == .cancelled)
        let unknown = JobID("0b0c3f6e-58a6-4a0b-9b0e-3f5d1f2f7a11")!
        #expect(throws: HostFailure.noJob(unknown)) { try host.cancel(unknown, token: nil) }
    }

    @Test("only a UUID of version 4 is an unguessable identifier")
    func randomUUID() {
        #expect(JobID.random().isRandomUUID)
        #expect(JobID("0B0C3F6E-58A6-4A0B-9B0E-3F5D1F2F7A10")!.isRandomUUID)
        for text in [
            "0b0c3f6e-58a6-1a0b-9b0e-3f5d1f2f7a10", "0b0c3f6e-58a6-4a0b-7b0e-3f5d1f2f7a10",
            "0b0c3f6e-58a6-4a0b-9b0e-3f5d1f2f7a1", "0b0c3f6e058a6-4a0b-9b0e-3f5d1f2f7a10",
            "0b0c3f6e-58a6-4a0b-9b0e-3f5d1f2f7a1g", "job-12345",
        ] {
            #expect(JobID(text)?.isRandomUUID == false, "\(text)")
        }
    }

    @Test("if tokenless access is allowed, any job can be cancelled by its identifier")
    func legacyCancel() throws {
        var policy = HostPolicy()
        policy.tokenlessAllowed = true
        let host = try TestHost(policy)
        try host.create(books: 1)
        #expect(try host.cancel(token: nil).status == .cancelled)
    }
}

@Suite("State, text and hash of a token")
struct TokenStateTests {
    private static let policy = TokenPolicy()
    private static let expiresAt: Int64 = 7_200_000

    private func token(revoked: Bool = false, superseded: Bool = false, expiresAt: Int64 = expiresAt) -> TokenState {
        TokenState(number: 1, expiresAt: expiresAt, revoked: revoked, superseded: superseded)
    }

    private func at(_ wall: Int64) -> Moment { Moment(uptime: .zero, wall: wall) }

    @Test("a token is valid until the exact millisecond of its expiry")
    func expiry() {
        #expect(token().verdict(at: at(7_199_999)) == .valid)
        #expect(token().verdict(at: at(7_200_000)) == .expired)
        #expect(token(revoked: true).verdict(at: at(0)) == .revoked)
    }

    @Test(
        "a token can be rotated from exactly 30 minutes before expiry; before that, the error states the seconds until then"
    )
    func window() {
        #expect(token().rotation(at: at(5_400_000), policy: Self.policy) == .rotate(oldExpiresAt: 5_700_000))
        #expect(token().rotation(at: at(5_399_999), policy: Self.policy) == .tooEarly(secondsUntilWindow: 1))
        #expect(token().rotation(at: at(0), policy: Self.policy) == .tooEarly(secondsUntilWindow: 5_400))
    }

    @Test("the old token stays valid for 5 minutes, but never longer than without rotation")
    func grace() {
        #expect(token().rotation(at: at(7_000_000), policy: Self.policy) == .rotate(oldExpiresAt: Self.expiresAt))
        #expect(token().rotation(at: at(6_000_000), policy: Self.policy) == .rotate(oldExpiresAt: 6_300_000))
    }

    @Test("an expired or revoked token cannot be rotated")
    func noRotation() {
        #expect(token().rotation(at: at(7_200_000), policy: Self.policy) == .expired)
        #expect(token(revoked: true).rotation(at: at(6_000_000), policy: Self.policy) == .revoked)
    }

    @Test("a live socket's token is extended only in its last 30 minutes")
    func extension_() {
        #expect(token().extended(at: at(5_399_999), policy: Self.policy) == nil)
        #expect(token().extended(at: at(5_400_000), policy: Self.policy) == 12_600_000)
        #expect(token().extended(at: at(7_199_999), policy: Self.policy) == 14_399_999)
    }

    @Test("a rotated, revoked or expired token is never extended")
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

    @Test("token hashes are compared in full")
    func comparison() {
        let hash = TokenText(text: "a").hash
        var other = hash
        other[31] ^= 1
        #expect(equalInConstantTime(hash, TokenText(text: "a").hash))
        #expect(!equalInConstantTime(hash, other))
        #expect(!equalInConstantTime(hash, hash.dropLast()))
    }
}
