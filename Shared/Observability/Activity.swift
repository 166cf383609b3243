package import Foundation
package import Logging
import Synchronization

/// A request, an RPC call or a step of a job while it is carried out: what is logged meanwhile belongs to it (command-line.md "tail").
///
/// Tasks inherit it through ``current``; whoever hands work to a thread of its own carries it there.
package final class Activity: Sendable {
    /// What the running task is about; nil in the background.
    @TaskLocal package static var current: Activity?

    /// Most lines and exceptions that are kept; what comes after is counted.
    private static let mostNotes = 64

    /// The trace and the request that it belongs to.
    package let trace: TraceContext
    /// When it began, in milliseconds since 1970.
    package let startedAt: Int64
    private let start = ContinuousClock.now
    private let notes: Mutex<Notes>

    /// What was noted so far.
    package struct Notes: Sendable {
        /// The job that it is about, when that is known.
        package var jobID: String?
        /// In the order in which they were logged.
        package var lines: [LoggedLine] = []
        /// In the order in which they were met.
        package var exceptions: [NotedException] = []
        /// Lines and exceptions that were not kept.
        package var dropped = 0
        /// It is over: what is logged about it from now on, such as the line of an access log, is not part of it.
        fileprivate var isOver = false
    }

    /// Begins one, now.
    package init(_ trace: TraceContext, jobID: String? = nil) {
        self.trace = trace
        startedAt = Self.now
        notes = Mutex(Notes(jobID: jobID))
    }

    /// How long it has lasted.
    package var elapsed: Duration { ContinuousClock.now - start }

    /// A copy of what was noted.
    package var noted: Notes { notes.withLock { $0 } }

    /// Ends it, and returns what was noted.
    func end() -> Notes {
        notes.withLock { notes in
            notes.isOver = true
            return notes
        }
    }

    /// Says which job it is about.
    package func concern(job: String) { notes.withLock { $0.jobID = job } }

    /// The job that it is about, when that is known.
    package var jobID: String? { notes.withLock { $0.jobID } }

    /// Notes what was logged.
    package func note(_ line: LoggedLine) {
        notes.withLock { notes in
            guard !notes.isOver else { return }
            guard notes.lines.count < Self.mostNotes else { return notes.dropped += 1 }
            notes.lines.append(line)
        }
    }

    /// Notes an error that it met.
    package func note(_ error: any Error) {
        let exception = NotedException(error, time: Self.now)
        notes.withLock { notes in
            guard !notes.isOver else { return }
            guard notes.exceptions.count < Self.mostNotes else { return notes.dropped += 1 }
            notes.exceptions.append(exception)
        }
    }

    /// Milliseconds since 1970.
    package static var now: Int64 { Date().millisecondsSince1970 }
}

/// One log message, as it was logged.
package struct LoggedLine: Sendable {
    /// Milliseconds since 1970.
    package var time: Int64
    /// Severity.
    package var level: Logger.Level
    /// Without what is secret.
    package var message: String
    /// Those of the logger, of the activity and of the message together, without what is secret.
    package var metadata: Logger.Metadata

    package init(time: Int64, level: Logger.Level, message: String, metadata: Logger.Metadata) {
        self.time = time
        self.level = level
        self.message = message
        self.metadata = metadata
    }
}

/// An error that something failed with and that is not part of a protocol: a fault, or a failure of what it needs.
package struct NotedException: Sendable {
    /// Milliseconds since 1970.
    package var time: Int64
    /// The error's type.
    package var name: String
    /// What it says of itself.
    package var message: String

    package init(_ error: any Error, time: Int64) {
        self.time = time
        name = String(describing: type(of: error))
        message = String(describing: error)
    }
}

extension Date {
    /// Whole milliseconds since 1970, as the suite's records and messages have their times.
    package var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded(.down)) }
}
