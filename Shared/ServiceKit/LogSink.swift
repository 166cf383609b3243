import Foundation
import Observability

/// Writes lines to a file descriptor from a thread of its own, so that a reader who does not read never holds up a service.
///
/// A line after a silence is written at once; those that follow are gathered for a few milliseconds, since a wake-up of the thread for each
/// costs a request as much as its answer.
///
/// At most `bound` bytes wait. Lines beyond that are dropped, as are those that cannot be written, such as on a full disk; a line of its own
/// says how many as soon as one can be written.
// @unchecked Sendable: `waiting`, `dropped`, `state` and `stopped` are only touched while `condition` is held.
package final class LogSink: @unchecked Sendable {
    /// What is written at a time.
    private struct Batch {
        var lines: [UInt8]
        /// How many lines were dropped, behind these.
        var dropped: Int
    }

    private enum ThreadState {
        /// Until there is a line.
        case idle
        case writing
        /// Looks by itself when the pause ends.
        case pausing
    }

    private static let lineEnd = UInt8(ascii: "\n")
    /// Seconds between two writes.
    private static let pause = 0.005

    private let descriptor: Int32
    private let bound: Int
    private let notice: @Sendable (Int) -> String
    private let condition = NSCondition()
    private var waiting: [UInt8] = []
    /// Not told yet.
    private var dropped = 0
    private let everDropped = Counter()
    private var state = ThreadState.pausing
    private var stopped = false

    /// Starts the thread. The descriptor stays the caller's.
    ///
    /// - Parameter notice: The line that tells of so many dropped lines.
    package init(
        descriptor: Int32, bound: Int = 1 << 20,
        notice: @escaping @Sendable (Int) -> String = { "(\($0) log lines dropped)" }
    ) {
        self.descriptor = descriptor
        self.bound = bound
        self.notice = notice
        let thread = Thread { [self] in drain() }
        thread.name = "log"
        thread.start()
    }

    /// Lines that were dropped since the start.
    package var droppedLines: Int { Int(everDropped.value) }

    /// Queues a line; its end is added.
    package func write(_ line: String) {
        condition.withLock {
            guard waiting.count + line.utf8.count < bound else {
                dropped += 1
                everDropped.add()
                return
            }
            waiting += line.utf8
            waiting.append(Self.lineEnd)
            guard state == .idle else { return }
            state = .writing
            condition.broadcast()
        }
    }

    /// Waits until everything queued so far is written, at most `seconds`, and ends the thread.
    package func close(within seconds: Double) {
        condition.withLock {
            let limit = Date(timeIntervalSinceNow: seconds)
            while !waiting.isEmpty || state == .writing {
                guard condition.wait(until: limit) else { break }
            }
            stopped = true
            condition.broadcast()
        }
    }

    private func drain() {
        var endsInLine = false
        while let batch = next() {
            let start = endsInLine ? [Self.lineEnd] : []
            let notice = batch.dropped == 0 ? "" : notice(batch.dropped) + "\n"
            let bytes = start + batch.lines + notice.utf8
            // A reader that is gone, or a full disk, is no reason to stop.
            let written = bytes.withUnsafeBytes { DescriptorOutput.write($0, to: descriptor).count }
            if written > 0 { endsInLine = bytes[written - 1] != Self.lineEnd }
            let linesEnd = start.count + batch.lines.count
            let lost = bytes[min(max(written, start.count), linesEnd)..<linesEnd].count { $0 == Self.lineEnd }
            everDropped.add(lost)
            condition.withLock {
                if written < bytes.count { dropped += batch.dropped + lost }
                state = .pausing
                // Wakes callers of close().
                condition.broadcast()
            }
            Thread.sleep(forTimeInterval: Self.pause)
        }
    }

    private func next() -> Batch? {
        condition.withLock {
            while waiting.isEmpty {
                if stopped { return nil }
                state = .idle
                condition.wait()
            }
            defer {
                waiting = []
                dropped = 0
                state = .writing
            }
            return Batch(lines: waiting, dropped: dropped)
        }
    }
}

/// Output to a file descriptor, whatever is behind it.
package enum DescriptorOutput {
    /// Writes everything, and waits for the reader of a descriptor that does not block (write(2), poll(2)).
    ///
    /// - Returns: How many bytes were written, and the error number of what prevented the rest; nil when nothing did.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> (count: Int, fault: Int32?) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Foundation.write(descriptor, part.baseAddress, part.count)
            guard count <= 0 else {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&readiness, 1, -1)
            case let fault: return (rest.startIndex, fault)
            }
        }
        return (bytes.count, nil)
    }
}
