import BookstrackContract
import Testing

@testable import BookstrackClient

@Suite("Decisions while following a job: transports")
struct EventFollowerTransportTests {
    @Test("a transport that is blocked is never tried again")
    func refusedTransport() {
        var follower = EventFollower.make()
        _ = follower.attempt()
        _ = follower.lost(.failed(.refused(ClientAnswer(status: 403))))
        #expect(follower.attempt().transport == .eventStream)
        _ = follower.take(.event(1), at: .zero)
        _ = follower.lost(.closed(code: 1_006))
        #expect(follower.attempt().transport == .eventStream)
    }

    @Test("a transport that fails silently twice is replaced by the next one until data arrives")
    func silentTransport() {
        var follower = EventFollower.make()
        for _ in 0..<2 {
            #expect(follower.attempt().transport == .webSocket)
            _ = follower.lost(.silent)
        }
        #expect(follower.attempt().transport == .eventStream)
        _ = follower.take(.event(1), at: .zero)
        _ = follower.lost(.failed(.lost("cut")))
        #expect(follower.attempt().transport == .webSocket)
    }

    @Test("while the network is down, the transport is not changed")
    func offline() {
        var follower = EventFollower.make()
        for _ in 0..<10 {
            #expect(follower.attempt().transport == .webSocket)
            _ = follower.lost(.failed(.unreachable("no network")))
        }
    }

    @Test("after the last transport, the first one is tried again")
    func roundAbout() {
        var follower = EventFollower.make { $0.attemptsPerTransport = 1 }
        let order = (0..<4).map { _ in
            let transport = follower.attempt().transport
            _ = follower.lost(.failed(.timedOut))
            return transport
        }
        #expect(order == [.webSocket, .eventStream, .polling, .webSocket])
    }

    @Test("a platform without WebSockets tries the next transport immediately, and fails if no other is allowed")
    func unsupported() {
        var follower = EventFollower.make()
        _ = follower.attempt()
        #expect(follower.lost(.failed(.unsupported("Linux"))).pause == .zero)
        #expect(follower.attempt().transport == .eventStream)
        var strict = EventFollower.make { $0.transports = [.webSocket] }
        _ = strict.attempt()
        #expect(strict.lost(.failed(.unsupported("Linux"))).pause == nil)
    }

    @Test("an unsupported transport after one that is merely slow does not end following")
    func unsupportedFallback() {
        var follower = EventFollower.make {
            $0.transports = [.eventStream, .webSocket]
            $0.attemptsPerTransport = 1
        }
        _ = follower.attempt()
        _ = follower.lost(.failed(.timedOut))
        #expect(follower.attempt().transport == .webSocket)
        #expect(follower.lost(.failed(.unsupported("Linux"))).pause == .seconds(2))
        #expect(follower.attempt().transport == .eventStream)
    }
}
