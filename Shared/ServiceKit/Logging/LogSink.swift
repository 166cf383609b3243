import Foundation
import Observability

/// Writes lines to a file descriptor from a thread of its own, so that a reader who does not read never holds up a service.
///
/// At most `bound` bytes wait; past that, lines are dropped and the next line that fits says how many.
// @unchecked Sendable: `waiting`, `dropped`, `writing` and `stopped` are only touched while `condition` is held.
package final class LogSink: @unchecked Sendable {
    private let descriptor: Int32
    private let bound: Int
    private let condition = NSCondition()
    private var waiting: [UInt8] = []
    /// Not told yet.
    private var dropped = 0
    private let everDropped = Counter()
    private var writing = false
    private var stopped = false

    /// Starts the thread. The descriptor stays the caller's.
    package init(descriptor: Int32, bound: Int = 1 << 20) {
        self.descriptor = descriptor
        self.bound = bound
        let thread = Thread { [self] in drain() }
        thread.name = "log"
        thread.start()
    }

    /// Lines that were dropped since the start.
    package var droppedLines: Int { Int(everDropped.value) }

    /// Queues a line; its end is added.
    package func write(_ line: String) {
        condition.withLock {
            let notice = dropped == 0 ? "" : "(\(dropped) log lines dropped)\n"
            guard waiting.count + notice.utf8.count + line.utf8.count < bound else {
                dropped += 1
                everDropped.add()
                return
            }
            dropped = 0
            waiting += notice.utf8
            waiting += line.utf8
            waiting.append(UInt8(ascii: "\n"))
            condition.broadcast()
        }
    }

    /// Waits until everything queued so far is written, at most `seconds`, and ends the thread.
    package func close(within seconds: Double) {
        condition.withLock {
            let limit = Date(timeIntervalSinceNow: seconds)
            while !waiting.isEmpty || writing {
                guard condition.wait(until: limit) else { break }
            }
            stopped = true
            condition.broadcast()
        }
    }

    private func drain() {
        while let bytes = next() {
            writeAll(bytes)
            condition.withLock {
                writing = false
                condition.broadcast()
            }
        }
    }

    private func next() -> [UInt8]? {
        condition.withLock {
            while waiting.isEmpty {
                if stopped { return nil }
                condition.wait()
            }
            defer { waiting = [] }
            writing = true
            return waiting
        }
    }

    /// A reader that is gone is no reason to stop: its lines are given up.
    private func writeAll(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wait, 1, -1)
            } else if errno != EINTR {
                return
            }
        }
    }
}
