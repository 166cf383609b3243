import BookstrackContract
import JSONRPC
import LibraryImport
import Logging
import NIOConcurrencyHelpers
import ProviderHTTP
import SuiteMethods

/// Does one reading step: reads the file and delivers what is in it (imports.md "Life").
struct ImportReader: Sendable {
    let readings: OpenReadings
    let limits: TableLimits
    let clock: any ProviderClock
    let logger: Logger

    /// Reads until the end of the file, until the step is not wanted any more, or until the task is cancelled.
    func read(_ step: ReadingStep, _ connection: RPCConnection) async {
        let thread = ReadingThread()
        readings.add(step.key, thread)
        defer { readings.remove(step.key) }
        let delivery = StepDelivery(step, connection, clock: clock, logger: logger)
        await withTaskCancellationHandler {
            await deliver(from: thread, delivery)
        } onCancel: {
            thread.stop()
        }
        // The worker stops: a step that is still its own goes back.
        if Task.isCancelled { await delivery.release() }
    }

    private func deliver(from thread: ReadingThread, _ delivery: StepDelivery) async {
        let step = delivery.step
        guard let options = try? ImportOptions(json: step.options) else {
            let fault = ImportFault(.processingFailed, "The options of the import cannot be read.")
            return await report(delivery) { try await $0.fail(fault) }
        }
        thread.start(path: step.path, options: options, limits: limits)
        var delivery = delivery
        for await event in thread.events {
            switch event {
            case .progress(let bytes): delivery.progress(bytes)
            case .page(let page):
                do {
                    try await delivery.deliver(page)
                    thread.goOn()
                } catch {
                    thread.stop()
                    return await give(up: delivery, after: error)
                }
            case .end(.success(let summary)): await report(delivery) { try await $0.finish(summary) }
            case .end(.failure(let error)): await end(delivery, after: error)
            }
        }
    }

    /// The thread has ended without the whole file.
    private func end(_ delivery: StepDelivery, after error: any Error) async {
        // Else the host has withdrawn the step, or the worker stops.
        if let fault = ImportFault(error) { await report(delivery) { try await $0.fail(fault) } }
    }

    private func report(_ delivery: StepDelivery, _ call: (StepDelivery) async throws -> Void) async {
        do { try await call(delivery) } catch { await give(up: delivery, after: error) }
    }

    /// Nothing more is delivered. A step that is unwanted, or whose connection is gone, is not this worker's any more.
    private func give(up delivery: StepDelivery, after error: any Error) async {
        guard case StepDelivery.Stop.refused(let refusal) = error else { return }
        logger.error(
            "the host refuses a page", metadata: ["jobId": "\(delivery.step.key.jobId)", "error": "\(refusal)"])
        try? await delivery.fail(ImportFault(.processingFailed, "What was read of the file could not be stored."))
    }
}

/// The files that are being read, so that the host can withdraw them.
final class OpenReadings: Sendable {
    private let threads = NIOLockedValueBox<[ReadingStepKey: ReadingThread]>([:])

    var count: Int { threads.withLockedValue { $0.count } }

    func add(_ key: ReadingStepKey, _ thread: ReadingThread) { threads.withLockedValue { $0[key] = thread } }

    func remove(_ key: ReadingStepKey) { threads.withLockedValue { $0[key] = nil } }

    /// Ends the reading of files whose jobs are over (``WorkWithdrawn``).
    func drop(jobs: [JobID]) {
        for (key, thread) in threads.withLockedValue({ $0 }) where jobs.contains(key.jobId) { thread.stop() }
    }
}
