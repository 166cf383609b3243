import BookstrackContract
import Dispatch
import Foundation
import LibraryImport
import NIOConcurrencyHelpers

/// Reads one library file on its own thread, so neither an event loop nor a task waits for the disk, and passes the content to a task.
///
/// The thread reads the next page while a page is being delivered, and then waits until it may continue, so pages do not pile up while the host is
/// busy.
final class ReadingThread: Sendable {
    enum Event: Sendable {
        /// The bytes of the file read so far, averaged over all passes, and the phase.
        case progress(Int, ImportPhase)
        /// A page of rows; at most two pages wait for ``ReadingThread/resume()``.
        case page(ImportPage)
        /// A question for a model about the columns; the thread waits for ``ReadingThread/answer(_:)``.
        case question(MappingQuestion)
        /// The end, with the file's summary or the error that ended the reading.
        case end(Result<ImportSummary, any Error>)
    }

    /// Maximum number of progress reports per file.
    private static let progressSteps = 50

    /// The thread's events, for one task.
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let gate = DispatchSemaphore(value: 0)
    private let stopped = NIOLockedValueBox(false)
    private let given = NIOLockedValueBox<MappingAnswer?>(nil)

    init() { (events, continuation) = AsyncStream.makeStream() }

    /// Starts to read a file.
    ///
    /// - Parameters:
    ///   - bytes: Size of the file when it was uploaded; a file of another size is damaged and not read.
    ///   - asks: Whether there is a model that can be queried.
    func start(path: String, bytes: Int, options: ImportOptions, limits: TableLimits, asks: Bool = false) {
        let thread = Thread { [self] in
            let summary = Result {
                try read(LibraryTable(path: path, expectedCount: bytes, limits: limits), options, asks: asks)
            }
            continuation.yield(.end(summary))
            continuation.finish()
        }
        thread.name = "library-file"
        thread.start()
    }

    /// Continues after a page has been delivered.
    func resume() { gate.signal() }

    /// Passes on the model's answer; nil without one.
    func answer(_ answer: MappingAnswer?) {
        given.withLockedValue { $0 = answer }
        gate.signal()
    }

    /// Whether ``stop()`` was called; everything read so far is then discarded.
    var isStopped: Bool { stopped.withLockedValue { $0 } }

    /// Stops the reading; while rows are being read, the thread ends at the next one.
    func stop() {
        stopped.withLockedValue { $0 = true }
        gate.signal()
    }

    private func read(_ table: LibraryTable, _ options: ImportOptions, asks: Bool) throws -> ImportSummary {
        // The first pass over the file found the encoding, the second finds duplicate rows, and the third delivers the rows.
        let (size, opened) = (table.byteCount, table.byteCount / 3)
        let step = max(1, size / Self.progressSteps)
        var reported = opened
        continuation.yield(.progress(reported, .parsing))
        let reading = try reading(of: table, options, asks: asks)
        // Lets the thread read the second page while the first one is being delivered.
        gate.signal()
        return try reading.read { bytes in
            try checkStop()
            let done = opened + (size - opened) * bytes / max(1, size)
            guard done >= reported + step else { return }
            reported = done
            continuation.yield(.progress(done, bytes <= size / 2 ? .validating : .saving))
        } _: { page in
            continuation.yield(.page(page))
            gate.wait()
            try checkStop()
        }
    }

    /// Prepares the import of a table, with a model's answer if it needs one.
    private func reading(of table: LibraryTable, _ options: ImportOptions, asks: Bool) throws -> LibraryReading {
        let reading = LibraryReading(table, options: options)
        guard asks, options.mayAsk, let question = try reading.question() else { return reading }
        continuation.yield(.question(question))
        gate.wait()
        try checkStop()
        return LibraryReading(table, options: options, answer: given.withLockedValue { $0 })
    }

    private func checkStop() throws {
        if isStopped { throw CancellationError() }
    }
}
