import Foundation
import Glibc

/// What this machine allows at most: exchanges like those in the benchmarks, made with bare system calls and without any work in between. Figures
/// of one program vary with the machine and the minute; the ratio to these limits varies less.
enum MachineLimits {
    /// A system call that failed.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
    }

    /// Round trips of 225 bytes between two threads over a Unix socket.
    static func exchange(count: Int = 20_000) async throws -> Latencies {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw Failure("socketpair") }
        let (own, other) = (ends[0], ends[1])
        async let echo: Void = onThread {
            var bytes = [UInt8](repeating: 0, count: 225)
            while case let length = read(other, &bytes, bytes.count), length > 0 { _ = write(other, bytes, length) }
            close(other)
        }
        var latencies = Latencies()
        var bytes = [UInt8](repeating: 0, count: 225)
        for _ in 0..<count {
            let started = ContinuousClock.now
            guard write(own, bytes, bytes.count) == bytes.count, read(own, &bytes, bytes.count) == bytes.count else {
                throw Failure("exchange")
            }
            latencies.record(.now - started)
        }
        close(own)
        try await echo
        return latencies
    }

    /// Messages of 220 bytes to many TCP connections, one `write` each.
    ///
    /// - Returns: The time until each message has been read by one thread that reads all connections, and the CPU time of a `write` in seconds.
    static func fan(_ watchers: Int, rounds: Int = 50) async throws -> (latencies: Latencies, processor: Double) {
        let listener = try Listener()
        var pairs: [(sender: CInt, reader: CInt)] = []
        for _ in 0..<watchers {
            let reader = try Listener.connect(to: listener.port)
            pairs.append((try listener.accept(), reader))
        }
        listener.close()
        let readers = pairs.map(\.reader)
        async let read = onThread { try readTimes(readers) }
        var message = [UInt8](repeating: 0, count: 220)
        var processor = 0.0
        for _ in 0..<rounds {
            let (sent, before) = (ClientLoop.now, ClientLoop.nanoseconds(CLOCK_THREAD_CPUTIME_ID))
            withUnsafeBytes(of: sent) { message.replaceSubrange(0..<8, with: $0) }
            for pair in pairs {
                guard write(pair.sender, message, message.count) == message.count else { throw Failure("write") }
            }
            processor += Double(ClientLoop.nanoseconds(CLOCK_THREAD_CPUTIME_ID) - before) / 1e9
            try await Task.sleep(for: .milliseconds(30))
        }
        for pair in pairs { close(pair.sender) }
        return (try await read, processor / Double(rounds * watchers))
    }

    /// Reads messages until every connection has ended; returns each message's time since the timestamp at its start. Throws if none arrives for 5 s.
    private static func readTimes(_ descriptors: [CInt]) throws -> Latencies {
        var latencies = Latencies()
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var message = [UInt8](repeating: 0, count: 220)
        while !polled.isEmpty {
            guard poll(&polled, nfds_t(polled.count), 5_000) > 0 else { throw Failure("poll") }
            for index in polled.indices.reversed() where polled[index].revents != 0 {
                if read(polled[index].fd, &message, message.count) == message.count {
                    let sent = message.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
                    latencies.record(.nanoseconds(ClientLoop.now - sent))
                } else {
                    close(polled[index].fd)
                    polled.swapAt(index, polled.count - 1)
                    polled.removeLast()
                }
            }
        }
        return latencies
    }

    /// Serves the clients of the `connects` benchmark: answers the first message of each client with a fixed 101, and the second with a frame.
    ///
    /// - Returns: The CPU time for each connection, in seconds.
    static func serve(_ listener: Listener, count: Int) async throws -> Double {
        try await onThread {
            let before = ClientLoop.nanoseconds(CLOCK_THREAD_CPUTIME_ID)
            var polled = [pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)]
            var messages = [0]
            var buffer = [UInt8](repeating: 0, count: 1_024)
            let answers = [Array("HTTP/1.1 101 Switching Protocols\r\n\r\n".utf8), [0x81, 2] + Array("{}".utf8)]
            var left = count
            while left > 0 {
                guard poll(&polled, nfds_t(polled.count), 5_000) > 0 else { throw Failure("poll") }
                for index in polled.indices.dropFirst().reversed() where polled[index].revents != 0 {
                    let descriptor = polled[index].fd
                    if read(descriptor, &buffer, buffer.count) > 0, messages[index] < answers.count {
                        _ = write(descriptor, answers[messages[index]], answers[messages[index]].count)
                        messages[index] += 1
                    } else {
                        close(descriptor)
                        polled.swapAt(index, polled.count - 1)
                        messages.swapAt(index, messages.count - 1)
                        polled.removeLast()
                        messages.removeLast()
                        left -= 1
                    }
                }
                if polled[0].revents != 0 {
                    polled.append(pollfd(fd: try listener.accept(), events: Int16(POLLIN), revents: 0))
                    messages.append(0)
                }
            }
            listener.close()
            return Double(ClientLoop.nanoseconds(CLOCK_THREAD_CPUTIME_ID) - before) / 1e9 / Double(count)
        }
    }

    /// Runs `body`, which may block, on a thread of its own.
    private static func onThread<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }
}

/// A listening TCP socket on loopback.
struct Listener: Sendable {
    let descriptor: CInt
    let port: Int

    init() throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) | listen(descriptor, 1_024) | getsockname(descriptor, $0, &length)
            }
        }
        guard status == 0 else { throw MachineLimits.Failure("listen") }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Connects to a port on loopback.
    static func connect(to port: Int) throws -> CInt {
        let client = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw MachineLimits.Failure("connect") }
        // As in every client for which latency matters: no small message waits for the acknowledgment of the previous one.
        var isOn: CInt = 1
        setsockopt(client, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<CInt>.size))
        return client
    }

    func accept() throws -> CInt {
        let accepted = Glibc.accept(descriptor, nil, nil)
        guard accepted >= 0 else { throw MachineLimits.Failure("accept") }
        return accepted
    }

    func close() { _ = Glibc.close(descriptor) }
}
