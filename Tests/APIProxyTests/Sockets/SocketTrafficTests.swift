import BookstrackContract
import NIOCore
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("A live socket", .timeLimit(.minutes(2))) struct SocketTrafficTests {
    @Test("frames that arrive before the 101 are kept, and each event is sent once")
    func earlyFrames() async throws {
        try await RunningProxy.run(script: .init(earlyFrame: #"{"seq":1}"#)) { proxy in
            let client = try await WebSocketClient(port: proxy.port)
            let (id, _) = try await proxy.host.nextOpened()
            proxy.host.deliver(#"{"seq":1}"#, to: [id], .event, seq: 1)
            proxy.host.deliver(#"{"seq":2}"#, to: [id, SocketID(999_999)], .progress, seq: 2)
            #expect(try await client.next().text == #"{"seq":1}"#)
            #expect(try await client.next().text == #"{"seq":2}"#)
        }
    }

    @Test("a frame of 300 KB that arrives before the response begins reaches sockets and event streams")
    func longEarlyFrame() async throws {
        let frame = "{\"seq\":1,\"p\":\"\(String(repeating: "x", count: 300_000))\"}"
        try await RunningProxy.run(script: .init(earlyFrame: frame)) { proxy in
            let socket = try await WebSocketClient(port: proxy.port)
            let received = try await socket.next()
            #expect(received.opcode == 1)
            #expect(received.payload.count == frame.utf8.count)
            let stream = try await EventStreamClient(port: proxy.port, "/v1/jobs/job-12345/events", token: "t")
            _ = try await stream.head()
            let event = try #require(try await stream.next())
            #expect(event.utf8.count == "id: 1\ndata: ".utf8.count + frame.utf8.count)
        }
    }

    @Test("a delivery reaches exactly the sockets that it lists")
    func fansOut() async throws {
        try await RunningProxy.run { proxy in
            var clients: [WebSocketClient] = []
            var ids: [SocketID] = []
            for _ in 0..<5 {
                clients.append(try await WebSocketClient(port: proxy.port))
                ids.append(try await proxy.host.nextOpened().0)
            }
            proxy.host.deliver("{\"all\":1}", to: Array(ids.dropLast()), .event, seq: 1)
            proxy.host.deliver("{\"last\":1}", to: ids, .event, seq: 2)
            for client in clients.dropLast() { #expect(try await client.next().text == "{\"all\":1}") }
            for client in clients { #expect(try await client.next().text == "{\"last\":1}") }
        }
    }

    @Test("a PING frame is sent after an application ping, and plain text is sent without its JSON encoding")
    func kinds() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port)
            let (id, _) = try await proxy.host.nextOpened()
            proxy.host.deliver(#"{"type":"ping"}"#, to: [id], .ping, seq: 0)
            proxy.host.deliver(#""PO\u004eG""#, to: [id], .text, seq: 0)
            #expect(try await client.next() == .init(opcode: 1, payload: Array(#"{"type":"ping"}"#.utf8)))
            #expect(try await client.next() == .init(opcode: 9, payload: []))
            #expect(try await client.next() == .init(opcode: 1, payload: Array("PONG".utf8)))
        }
    }

    @Test("a client's PING frames are all answered, and several in a row are reported to progress-host only once")
    func pings() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port)
            let (id, _) = try await proxy.host.nextOpened()
            let texts = ["one", "two"].map { Array($0.utf8) }
            // The PING frames are sent in one write, so there is no pause between them.
            try await client.connection.send(texts.flatMap { WebSocketClient.frame(opcode: 9, $0) })
            for text in texts { #expect(try await client.next() == .init(opcode: 10, payload: text)) }
            try await client.send("{}")
            _ = try await proxy.host.nextMessage()
            let signs = proxy.host.events.elements.filter { if case .alive(id) = $0 { true } else { false } }
            #expect(signs.count == 1)
        }
    }

    @Test("messages reach progress-host complete, with fragments joined and binary messages as text")
    func messages() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port)
            try await client.send(opcode: 1, Array(#"{"type":"#.utf8), fin: false)
            try await client.send(opcode: 9, [])
            try await client.send(opcode: 0, Array(#""ready"}"#.utf8))
            #expect(try await proxy.host.nextMessage().1 == #"{"type":"ready"}"#)
            try await client.send(opcode: 2, Array(#"{"type":"ping"}"#.utf8))
            #expect(try await proxy.host.nextMessage().1 == #"{"type":"ping"}"#)
            let long = String(repeating: "é", count: 32_768)
            try await client.send(long)
            #expect(try await proxy.host.nextMessage().1 == long)
        }
    }

    @Test("frames that violate the rules close the socket with the documented code")
    func violations() async throws {
        let text = Array("{}".utf8)
        let cases: [(String, [UInt8], Int)] = [
            ("64 KiB and a byte", WebSocketClient.frame(opcode: 1, [UInt8](repeating: 0x61, count: 65_537)), 1009),
            (
                "fragments of more than 64 KiB",
                WebSocketClient.frame(opcode: 1, [UInt8](repeating: 0x61, count: 40_000), fin: false)
                    + WebSocketClient.frame(opcode: 0, [UInt8](repeating: 0x61, count: 40_000)), 1009
            ),
            ("not masked", WebSocketClient.frame(opcode: 1, text, masked: false), 1002),
            ("text that is not UTF-8", WebSocketClient.frame(opcode: 1, [0xC0, 0xAF]), 1007),
            ("binary that is not UTF-8", WebSocketClient.frame(opcode: 2, [0xFF]), 1007),
            ("a continuation frame without a message", WebSocketClient.frame(opcode: 0, text), 1002),
            ("a fragmented PING", WebSocketClient.frame(opcode: 9, text, fin: false), 1002),
            ("an unknown opcode", WebSocketClient.frame(opcode: 3, text), 1002),
            ("a reserved bit", [0xC1] + WebSocketClient.frame(opcode: 1, text).dropFirst(), 1002),
            ("51 messages", (0..<51).flatMap { _ in WebSocketClient.frame(opcode: 1, text) }, 1008),
        ]
        try await RunningProxy.run { proxy in
            for (name, bytes, code) in cases {
                let client = try await WebSocketClient(port: proxy.port)
                let (id, _) = try await proxy.host.nextOpened()
                try await client.connection.send(bytes)
                let close = try? await client.framesToClose().last
                #expect(close?.closeCode == code, "\(name): \(String(describing: close))")
                // The connection may already have been closed.
                try? await client.send(opcode: 8, [UInt8(code >> 8), UInt8(code & 255)])
                _ = try await proxy.host.events.take { if case .closed(id) = $0 { true } else { false } }
                await client.connection.close()
            }
        }
    }

    @Test("50 messages in a burst all arrive")
    func burst() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port)
            try await client.connection.send(
                (0..<50).flatMap { WebSocketClient.frame(opcode: 1, Array("{\"n\":\($0)}".utf8)) })
            for number in 0..<50 { #expect(try await proxy.host.nextMessage().1 == "{\"n\":\(number)}") }
        }
    }

    @Test(
        "a close by progress-host is sent after everything delivered before it, and the peer's response ends the connection"
    )
    func hostCloses() async throws {
        try await RunningProxy.run {
            $0.timeouts.closeReply = .seconds(3_600)
        } _: { proxy in
            let client = try await WebSocketClient(port: proxy.port)
            let (id, _) = try await proxy.host.nextOpened()
            for seq in 1...20 { proxy.host.deliver("{\"seq\":\(seq)}", to: [id], .event, seq: seq) }
            proxy.host.deliver("{\"end\":1}", to: [id], .terminal, seq: 21)
            proxy.host.close([id], .normal, reason: "job completed")
            let frames = try await client.framesToClose()
            #expect(frames.count == 22)
            #expect(frames[20].text == "{\"end\":1}")
            #expect(frames[21].closeCode == 1000)
            #expect(frames[21].text.hasSuffix("job completed"))
            try await client.send(opcode: 8, [0x03, 0xE8])
            await #expect(throws: WebSocketClient.Ended.self) { try await client.next() }
        }
    }

    @Test("a peer that does not answer the close frame is disconnected")
    func closeUnanswered() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port)
            let (id, _) = try await proxy.host.nextOpened()
            proxy.host.close([id], .goingAway)
            #expect(try await client.next().closeCode == 1001)
            await #expect(throws: WebSocketClient.Ended.self) { try await client.next() }
        }
    }

    @Test("a client's close frame is echoed with its code and reported to progress-host")
    func clientCloses() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port)
            let (id, _) = try await proxy.host.nextOpened()
            try await client.send(opcode: 8, [0x0F, 0xA0] + Array("bye".utf8))
            #expect(try await client.next() == .init(opcode: 8, payload: [0x0F, 0xA0]))
            await #expect(throws: WebSocketClient.Ended.self) { try await client.next() }
            _ = try await proxy.host.events.take { if case .closed(id) = $0 { true } else { false } }
        }
    }

    @Test("a client's close frames after the first one have no effect")
    func closesTwice() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port)
            let (id, _) = try await proxy.host.nextOpened()
            let close = WebSocketClient.frame(opcode: 8, [0x03, 0xE8])
            try await client.connection.send(close + close + close)
            _ = try await client.framesToClose()
            _ = try await proxy.host.events.take { if case .closed(id) = $0 { true } else { false } }
            let next = try await WebSocketClient(port: proxy.port)
            _ = try await proxy.host.nextOpened()
            #expect(proxy.services.hub.socketLimiter.total == 1)
            await next.connection.close()
        }
    }

    @Test("progress-host is notified once when the peer has received a page, even if the page contained nothing new")
    func receipts() async throws {
        let padding = String(repeating: "x", count: 60_000)
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port, receiveBuffer: 4_096)
            let (id, _) = try await proxy.host.nextOpened()
            let isReceipt: @Sendable (FakeHost.Event) -> Bool = { if case .caughtUp(id) = $0 { true } else { false } }
            proxy.host.deliver("{\"seq\":1}", to: [id], .page, seq: 1)
            _ = try await proxy.host.events.take(where: isReceipt)
            proxy.host.deliver("{\"seq\":1}", to: [id], .page, seq: 1)
            _ = try await proxy.host.events.take(where: isReceipt)
            #expect(try await client.next().text == "{\"seq\":1}")
            try await client.connection.stopReading()
            for seq in 2...101 {
                proxy.push("{\"seq\":\(seq),\"p\":\"\(padding)\"}", to: id, .progress, seq: seq)
            }
            proxy.push("{\"seq\":102}", to: id, .page, seq: 102)
            // Once this message has arrived, everything before it has been handled.
            try await client.send(#"{"type":"ready"}"#)
            _ = try await proxy.host.nextMessage()
            #expect(!proxy.host.events.elements.contains(where: isReceipt))
            try await client.connection.startReading()
            while try await client.next().text != "{\"seq\":102}" {}
            _ = try await proxy.host.events.take(where: isReceipt)
            #expect(!proxy.host.events.elements.contains(where: isReceipt))
        }
    }

    @Test(
        "a peer that reads nothing is disconnected with 1013, and one that lags receives the newest progress and the terminal frame"
    )
    func slowReaders() async throws {
        let padding = String(repeating: "x", count: 60_000)
        try await RunningProxy.run {
            ($0.timeouts.drain, $0.timeouts.closeReply) = (.seconds(60), .seconds(60))
        } _: { proxy in
            let client = try await WebSocketClient(port: proxy.port, receiveBuffer: 4_096)
            let (id, _) = try await proxy.host.nextOpened()
            try await client.connection.stopReading()
            proxy.pushTooMuch(to: id)
            try await client.connection.startReading()
            let frames = try await client.framesToClose()
            #expect(frames.count < 400)
            #expect(frames[frames.count - 3].text.hasPrefix("{\"seq\":400,"))
            #expect(frames[frames.count - 2].text == "{\"end\":1}")
            #expect(frames.last?.closeCode == 1000)

            let idle = try await WebSocketClient(port: proxy.port, receiveBuffer: 4_096)
            let (other, _) = try await proxy.host.nextOpened()
            try await idle.connection.stopReading()
            for seq in 1...400 {
                proxy.push("{\"seq\":\(seq),\"p\":\"\(padding)\"}", to: other, .event, seq: seq)
            }
            try await until { await proxy.isDraining(other) }
            try await idle.connection.startReading()
            #expect(try await idle.framesToClose().last?.closeCode == 1013)
        }
    }

    @Test("when a slow client times out, queued frames are dropped and nothing follows the close frame")
    func impatience() async throws {
        try await RunningProxy.run {
            ($0.timeouts.drain, $0.timeouts.closeReply) = (.milliseconds(1), .seconds(60))
        } _: { proxy in
            let client = try await WebSocketClient(port: proxy.port, receiveBuffer: 4_096)
            let (id, _) = try await proxy.host.nextOpened()
            try await client.connection.stopReading()
            proxy.pushTooMuch(to: id)
            try await until { proxy.readings("bookstrack_socket_closes_total")[["1000", "server"]] == 1 }
            try await client.connection.startReading()
            let frames = try await client.framesToClose()
            #expect(frames.last?.closeCode == 1000)
            #expect(!frames.contains { $0.text == "{\"end\":1}" })
            try await client.send(opcode: 8, [0x03, 0xE8])
            await #expect(throws: WebSocketClient.Ended.self) { try await client.next() }
            #expect(proxy.readings("bookstrack_socket_frames_waiting") == [[]: 0])
        }
    }
}

extension RunningProxy {
    /// Delivers a frame as progress-host does, but without its limits.
    func push(_ frame: String, to socket: SocketID, _ kind: SocketDelivery.Kind, seq: Int) {
        sockets.deliver(.init(sockets: [socket], kind: kind, seq: seq, frame: ByteBuffer(string: frame)))
    }

    /// Delivers 24 MB of progress frames, more than all buffers hold, followed by the terminal frame and a close.
    func pushTooMuch(to socket: SocketID) {
        let padding = String(repeating: "x", count: 60_000)
        for seq in 1...400 { push("{\"seq\":\(seq),\"p\":\"\(padding)\"}", to: socket, .progress, seq: seq) }
        push("{\"end\":1}", to: socket, .terminal, seq: 401)
        sockets.close(.init(sockets: [socket], code: .normal, reason: ""))
    }

    /// Whether a socket is no longer live, so it accepts no more frames.
    func isDraining(_ id: SocketID) async -> Bool {
        ((try? await sockets.live()) ?? []).contains { $0.socket == id } == false
    }
}
