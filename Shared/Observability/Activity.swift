package import Foundation
package import Logging
import NIOConcurrencyHelpers

/// A request, an RPC call or a job step that is in progress; messages logged during it belong to it (command-line.md "tail").
///
/// Tasks inherit it through ``current``; code that moves work to its own thread passes it on.
package final class Activity: Sendable {
    /// The activity of the running task; nil if the task belongs to none.
    @TaskLocal package static var current: Activity?

    /// Maximum number of recorded lines, and of recorded exceptions; any further ones are only counted.
    private static let maxNotes = 64

    /// The activity's trace and request identifiers.
    package let trace: TraceContext
    /// Start time, in milliseconds since 1970.
    package let startedAt: Int64
    private let start = ContinuousClock.now
    private let notes: NIOLockedValueBox<Notes>

    /// The recorded lines and exceptions.
    package struct Notes: Sendable {
        /// The activity's job, if known.
        package var jobID: String?
        /// The lines, in order of logging.
        package var lines: [LoggedLine] = []
        /// The exceptions, in order of occurrence.
        package var exceptions: [NotedException] = []
        /// Number of lines and exceptions that were not recorded.
        package var dropped = 0
        /// Whether the activity has ended. Later messages about it, such as its access log line, are not part of it.
        fileprivate var isOver = false
    }

    /// Starts an activity.
    package init(_ trace: TraceContext, jobID: String? = nil) {
        self.trace = trace
        startedAt = Self.now
        notes = NIOLockedValueBox(Notes(jobID: jobID))
    }

    /// Time since the activity started.
    package var elapsed: Duration { ContinuousClock.now - start }

    /// A copy of the recorded notes.
    package var noted: Notes { notes.withLockedValue { $0 } }

    /// Ends the activity and returns its notes.
    func end() -> Notes {
        notes.withLockedValue { notes in
            notes.isOver = true
            return notes
        }
    }

    /// Sets the activity's job.
    package func concern(job: String) { notes.withLockedValue { $0.jobID = job } }

    /// The activity's job, if known.
    package var jobID: String? { notes.withLockedValue { $0.jobID } }

    /// Records a log message, unless the activity has ended; at the limit, only counts it.
    package func note(_ line: LoggedLine) {
        notes.withLockedValue { notes in
            guard !notes.isOver else { return }
            guard notes.lines.count < Self.maxNotes else { return notes.dropped += 1 }
            notes.lines.append(line)
        }
    }

    /// Records an error, unless the activity has ended; at the limit, only counts it.
    package func note(_ error: any Error) {
        let exception = NotedException(error, time: Self.now)
        notes.withLockedValue { notes in
            guard !notes.isOver else { return }
            guard notes.exceptions.count < Self.maxNotes else { return notes.dropped += 1 }
            notes.exceptions.append(exception)
        }
    }

    /// Milliseconds since 1970.
    package static var now: Int64 { Date().millisecondsSince1970 }
}

/// A log message.
package struct LoggedLine: Sendable {
    /// Milliseconds since 1970.
    package var time: Int64
    /// Severity.
    package var level: Logger.Level
    /// The message, without secrets.
    package var message: String
    /// The metadata of the logger, the activity and the message, without secrets.
    package var metadata: Logger.Metadata

    package init(time: Int64, level: Logger.Level, message: String, metadata: Logger.Metadata) {
        self.time = time
        self.level = level
        self.message = message
        self.metadata = metadata
    }
}

/// An error recorded with an activity, such as a failed dependency.
package struct NotedException: Sendable {
    /// Milliseconds since 1970.
    package var time: Int64
    /// The error's type.
    package var name: String
    /// The error's description.
    package var message: String

    package init(_ error: any Error, time: Int64) {
        self.time = time
        name = String(describing: type(of: error))
        message = String(describing: error)
    }
}

extension Duration {
    /// Whole milliseconds; a fraction is dropped.
    package var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }

    /// Whole nanoseconds; a fraction is dropped.
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}

extension Date {
    /// Whole milliseconds since 1970, the unit of times in records and messages. A date is rounded to microseconds first, because it cannot
    /// represent most milliseconds exactly.
    package var millisecondsSince1970: Int64 {
        Int64(((timeIntervalSince1970 * 1_000_000).rounded() / 1_000).rounded(.down))
    }
}
