import Foundation
import Observability

/// Writes lines to a file descriptor on its own thread, so a slow reader never delays a service.
///
/// The first line after a pause is written immediately. Further lines are collected for a few milliseconds, because waking the thread for each line
/// would cost as much as answering a request.
///
/// At most `bound` bytes are queued. Further lines are dropped, as are lines that cannot be written, for example on a full disk; the number of
/// dropped lines is reported in a separate line with the next lines that are written.
// @unchecked Sendable: `waiting`, `dropped`, `state` and `stopped` are only touched while `condition` is held.
package final class LogSink: @unchecked Sendable {
    /// The bytes of one write.
    private struct Batch {
        var lines: [UInt8]
        /// Number of dropped lines that this write reports.
        var dropped: Int
    }

    private enum ThreadState {
        /// Waiting for a line.
        case idle
        case writing
        /// Pausing after a write; checks for lines again afterwards without being woken.
        case pausing
    }

    private static let lineEnd = UInt8(ascii: "\n")
    /// Seconds between two writes.
    private static let pause = 0.005

    private let descriptor: Int32
    private let bound: Int
    private let notice: @Sendable (Int) -> String
    /// Locks, and also wakes the thread and callers of ``close(within:)``; `NIOLockedValueBox`, which other types use, cannot wait.
    private let condition = NSCondition()
    private var waiting: [UInt8] = []
    /// Number of dropped lines that have not been reported.
    private var dropped = 0
    private let everDropped = Counter()
    private var state = ThreadState.pausing
    private var stopped = false

    /// Starts the thread. The caller keeps ownership of the descriptor.
    ///
    /// - Parameter notice: The line that reports a number of dropped lines.
    package init(
        descriptor: Int32, bound: Int = 1 << 20,
        notice: @escaping @Sendable (Int) -> String = { "(log lines dropped: \($0))" }
    ) {
        self.descriptor = descriptor
        self.bound = bound
        self.notice = notice
        let thread = Thread { [self] in drain() }
        thread.name = "log"
        thread.start()
    }

    /// Number of dropped lines since the start.
    package var droppedLines: Int { Int(everDropped.value) }

    /// Queues a line; a line terminator is added.
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

    /// Waits until all queued lines are written, but at most `seconds`, and ends the thread.
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
            // Continue even if the reader has disconnected or the disk is full.
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

/// Writes to a file descriptor of any kind.
package enum DescriptorOutput {
    /// Writes everything, and waits for the reader of a non-blocking descriptor (write(2), poll(2)).
    ///
    /// - Returns: The number of bytes written, and the error number if not all bytes were written.
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
