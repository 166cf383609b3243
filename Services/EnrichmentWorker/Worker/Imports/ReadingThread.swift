import BookstrackContract
import Dispatch
import Foundation
import LibraryImport
import NIOConcurrencyHelpers

/// Reads one library file on a thread of its own, so that no event loop and no task waits for a disk, and hands what it finds to a task.
///
/// The thread stops at every page until it is told to go on: pages do not pile up while the host is busy.
final class ReadingThread: Sendable {
    /// What the thread has found.
    enum Event: Sendable {
        /// So many bytes are done with.
        case progress(Int)
        /// Some rows; the thread waits for ``ReadingThread/goOn()``.
        case page(ImportPage)
        /// The end, with the figures of the file or why it cannot be read.
        case end(Result<ImportSummary, any Error>)
    }

    /// Steps of progress that are told of a file.
    private static let progressSteps = 50

    /// What is found, for one task.
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let gate = DispatchSemaphore(value: 0)
    private let isStopped = NIOLockedValueBox(false)

    init() { (events, continuation) = AsyncStream.makeStream() }

    /// Starts to read a file.
    func start(path: String, options: ImportOptions, limits: TableLimits) {
        let thread = Thread { [self] in
            continuation.yield(.end(Result { try read(path, options, limits) }))
            continuation.finish()
        }
        thread.name = "library-file"
        thread.start()
    }

    /// The page is delivered.
    func goOn() { gate.signal() }

    /// What is found is not wanted any more; the thread ends at the next row.
    func stop() {
        isStopped.withLockedValue { $0 = true }
        gate.signal()
    }

    private func read(_ path: String, _ options: ImportOptions, _ limits: TableLimits) throws -> ImportSummary {
        let table = try LibraryTable(path: path, limits: limits)
        let step = max(1, table.byteCount / Self.progressSteps)
        var told = 0
        return try LibraryReading(table, options: options).read { bytes in
            try checkStop()
            guard bytes >= told + step else { return }
            told = bytes
            continuation.yield(.progress(bytes))
        } _: { page in
            continuation.yield(.page(page))
            gate.wait()
            try checkStop()
        }
    }

    private func checkStop() throws {
        if isStopped.withLockedValue({ $0 }) { throw CancellationError() }
    }
}
