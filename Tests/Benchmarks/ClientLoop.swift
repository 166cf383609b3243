import CEpoll
import Foundation
import Glibc
import JSONRPC
import NIOConcurrencyHelpers

/// Waits until descriptors are readable (epoll(7)). A descriptor that is closed is no longer waited for.
struct Poller {
    private let descriptor = epoll_create1(0)
    private var events: [epoll_event]

    /// - Parameter count: Maximum number of descriptors that one ``wait(milliseconds:)`` returns.
    init(count: Int) { events = Array(repeating: epoll_event(), count: count) }

    func close() { Glibc.close(descriptor) }

    /// Begins to wait for a descriptor; traps if epoll_ctl(2) fails.
    func add(_ awaited: CInt) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: awaited))
        precondition(epoll_ctl(descriptor, EPOLL_CTL_ADD, awaited, &event) == 0, "epoll_ctl: errno \(errno)")
    }

    /// The readable descriptors; empty if `milliseconds` pass or a signal arrives first. With -1, waits without limit.
    mutating func wait(milliseconds: CInt) -> some Collection<CInt> {
        let count = epoll_wait(descriptor, &events, CInt(events.count), milliseconds)
        return events.prefix(Int(max(0, count))).lazy.map(\.data.fd)
    }
}

/// Connections served by one thread with epoll(7). Clients on NIO's event loops would need as much CPU time as the services.
// @unchecked Sendable: everything but the constants is only used on the loop's thread.
final class ClientLoop: @unchecked Sendable {
    private var poller = Poller(count: 1_024)
    /// Wakes the thread, which then runs `waiting`.
    private let wakeup = eventfd(0, CInt(EFD_NONBLOCK))
    private let waiting = NIOLockedValueBox([@Sendable () -> Void]())
    private var endOfTurn: [() -> Void] = []
    private var timer: (deadline: Instant, body: () -> Void)?
    private var connections: [CInt: ClientConnection] = [:]
    private var isRunning = true

    /// A time on the monotonic clock, in nanoseconds.
    typealias Instant = UInt64

    static var now: Instant { nanoseconds(CLOCK_MONOTONIC) }

    /// The time of a clock, in nanoseconds.
    static func nanoseconds(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    init() {
        poller.add(wakeup)
        Thread.detachNewThread { self.work() }
    }

    private func work() {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while isRunning {
            for descriptor in poller.wait(milliseconds: timeout) {
                if let connection = connections[descriptor] { receive(connection, buffer) }
            }
            runWaiting()
            if let due = timer, due.deadline <= Self.now {
                timer = nil
                due.body()
            }
            while !endOfTurn.isEmpty {
                let bodies = endOfTurn
                endOfTurn = []
                for body in bodies { body() }
            }
        }
        for connection in connections.values { connection.close() }
        poller.close()
        Glibc.close(wakeup)
    }

    /// Milliseconds until the timer is due; -1 without one.
    private var timeout: CInt {
        guard let deadline = timer?.deadline else { return -1 }
        let now = Self.now
        return deadline > now ? CInt((deadline - now + 999_999) / 1_000_000) : 0
    }

    private func receive(_ connection: ClientConnection, _ buffer: UnsafeMutableRawBufferPointer) {
        let count = recv(connection.descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
        if count > 0 { return connection.received(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
        if count < 0, errno == EAGAIN { return }
        connection.close()
        connection.ended()
    }

    private func runWaiting() {
        var value: UInt64 = 0
        guard read(wakeup, &value, 8) == 8 else { return }
        let bodies = waiting.withLockedValue { waiting in
            defer { waiting = [] }
            return waiting
        }
        for body in bodies { body() }
    }
}

// MARK: From any thread

extension ClientLoop {
    /// Runs `body` on the loop's thread.
    func execute(_ body: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLockedValue { waiting in
            waiting.append(body)
            return waiting.count == 1
        }
        guard isFirst else { return }
        var one: UInt64 = 1
        _ = write(wakeup, &one, 8)
    }

    /// Runs `body` on the loop's thread, and returns its result.
    func submit<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            execute { continuation.resume(with: Result { try body() }) }
        }
    }

    /// Closes every connection and ends the thread.
    func end() { execute { self.isRunning = false } }
}

// MARK: On the loop's thread

extension ClientLoop {
    /// Runs `body` at the end of the current turn, once the bytes received in it have been processed.
    func atEndOfTurn(_ body: @escaping () -> Void) { endOfTurn.append(body) }

    /// Runs `body` after this number of milliseconds; no other timer may be waiting.
    func schedule(inMilliseconds delay: Int, _ body: @escaping () -> Void) {
        timer = (Self.now + UInt64(delay) * 1_000_000, body)
    }

    /// Connects to a Unix socket.
    func connect(toPath path: String) throws -> ClientConnection {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        let status = UnixSocketAddress(path)?.pass { Glibc.connect(descriptor, $0, $1) }
        guard status == 0 else { throw MachineLimits.Failure("connect") }
        return add(descriptor)
    }

    /// Adds a connected socket.
    func add(
        _ descriptor: CInt, received: @escaping (UnsafeRawBufferPointer) -> Void = { _ in },
        ended: @escaping () -> Void = {}
    ) -> ClientConnection {
        let connection = ClientConnection(descriptor, loop: self, received: received, ended: ended)
        connections[descriptor] = connection
        poller.add(descriptor)
        return connection
    }

    fileprivate func close(_ connection: ClientConnection) {
        guard connections.removeValue(forKey: connection.descriptor) != nil else { return }
        Glibc.close(connection.descriptor)
    }
}

/// A connection of a ``ClientLoop``.
// @unchecked Sendable: used on the loop's thread only.
final class ClientConnection: @unchecked Sendable {
    fileprivate let descriptor: CInt
    private unowned let loop: ClientLoop
    fileprivate let received: (UnsafeRawBufferPointer) -> Void
    /// Called when the peer has closed the connection or a read has failed.
    fileprivate let ended: () -> Void
    private var unsent: [UInt8] = []

    fileprivate init(
        _ descriptor: CInt, loop: ClientLoop, received: @escaping (UnsafeRawBufferPointer) -> Void,
        ended: @escaping () -> Void
    ) {
        self.descriptor = descriptor
        self.loop = loop
        self.received = received
        self.ended = ended
    }

    /// Writes bytes; those written in one turn of the loop are sent together.
    func write(_ bytes: some Sequence<UInt8>) {
        if unsent.isEmpty { loop.atEndOfTurn { self.flush() } }
        unsent += bytes
    }

    /// Sends the written bytes; blocks the loop while the peer's receive buffer is full.
    private func flush() {
        var sent = 0
        while sent < unsent.count {
            let count = unsent[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            sent += count
        }
        unsent.removeAll(keepingCapacity: true)
    }

    func close() { loop.close(self) }
}
