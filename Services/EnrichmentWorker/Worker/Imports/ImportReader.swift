import BookstrackContract
import JSONRPC
import LibraryImport
import Logging
import NIOConcurrencyHelpers
import Observability
import ProviderClient
import SuiteMethods

/// Carries out reading steps: reads a file and delivers its rows to progress-host (imports.md "Life").
struct ImportReader: Sendable {
    let readings: OpenReadings
    let limits: TableLimits
    let mappings: MappingCaller
    let clock: any SuiteClock
    let tail: TailHub
    let metrics: ReadingMetrics
    let logger: Logger
    let places = ReadingPlaces(2)

    /// Reads until the end of the file, until the step is no longer needed, or until the task is cancelled.
    func read(_ step: ReadingStep, _ connection: RPCConnection) async {
        let activity = Activity(step.trace ?? TraceContext(), jobID: step.key.jobId.text)
        await Activity.$current.withValue(activity) {
            tail.publish(TailEntry(.init(.readingStarted), job: activity.jobID, activity.trace, at: activity.startedAt))
            let start = clock.now
            let ending = await ending(of: step, connection)
            metrics.ended(ending, bytes: step.bytes, after: start.duration(to: clock.now))
            note(ending, activity)
        }
    }

    private func ending(of step: ReadingStep, _ connection: RPCConnection) async -> ReadingEnding {
        let thread = ReadingThread()
        readings.add(step.key, thread)
        defer { readings.remove(step.key) }
        let delivery = StepDelivery(step, connection, clock: clock, logger: logger)
        let ending = await withTaskCancellationHandler {
            await deliver(from: thread, delivery)
        } onCancel: {
            thread.stop()
        }
        guard Task.isCancelled, case .dropped = ending else { return ending }
        // The worker is stopping: return the step, which it still owns.
        await delivery.release()
        return .released
    }

    private func deliver(from thread: ReadingThread, _ delivery: StepDelivery) async -> ReadingEnding {
        let step = delivery.step
        guard let options = try? ImportOptions(json: step.options) else {
            return await fail(delivery, ImportFault(.processingFailed, "The import options cannot be read."))
        }
        thread.start(path: step.path, options: options, limits: limits, asks: mappings.canAsk)
        var delivery = delivery
        var model: String?
        for await event in thread.events {
            guard !thread.isStopped else { return .dropped }
            switch event {
            case .progress(let bytes, let phase): delivery.progress(bytes, phase)
            case .page(let page):
                do {
                    try await delivery.deliver(page)
                    thread.goOn()
                } catch {
                    thread.stop()
                    return await give(up: delivery, after: error)
                }
            case .question(let question):
                await places.give()
                let mapping = await mappings.answer(to: question, priority: .bulk)
                await places.take()
                model = mapping?.model
                thread.answer(mapping?.answer)
            case .end(.success(let summary)):
                return await finish(delivery, summary, modelUsed: summary.source.usesModel ? model : nil)
            case .end(.failure(let error)):
                // An error that the file did not cause means that the host has withdrawn the step or the worker is stopping.
                guard let fault = ImportFault(error) else { return .dropped }
                return await fail(delivery, fault)
            }
        }
        return .dropped
    }

    private func finish(
        _ delivery: StepDelivery, _ summary: ImportSummary, modelUsed model: String?
    ) async -> ReadingEnding {
        do {
            try await delivery.finish(summary, modelUsed: model)
            return .finished(summary)
        } catch {
            return await give(up: delivery, after: error)
        }
    }

    private func fail(_ delivery: StepDelivery, _ fault: ImportFault) async -> ReadingEnding {
        do {
            try await delivery.fail(fault)
            return .failed(fault)
        } catch {
            return await give(up: delivery, after: error)
        }
    }

    /// Ends the delivery after an error. A step that is no longer needed, or whose connection has closed, no longer belongs to
    /// this worker.
    private func give(up delivery: StepDelivery, after error: any Error) async -> ReadingEnding {
        guard case StepDelivery.Stop.refused(let refusal) = error else { return .dropped }
        logger.error(
            "progress-host refused a delivery",
            metadata: ["jobId": "\(delivery.step.key.jobId)", "error": "\(refusal)"])
        let fault = ImportFault(.processingFailed, "The rows that were read could not be stored.")
        return (try? await delivery.fail(fault)) == nil ? .dropped : .failed(fault)
    }

    private func note(_ ending: ReadingEnding, _ activity: Activity) {
        switch ending {
        case .finished(let summary):
            logger.info(
                "library read",
                metadata: [
                    "rows": "\(summary.totalRows)", "books": "\(summary.booksCreated)",
                    "errors": "\(summary.errorCount)", "skipped": "\(summary.skippedRows)",
                ])
            let step = TailSubject.Step(.readingFinished, result: summary.source.format.rawValue)
            tail.publish(TailEntry(.job(step), of: activity, .ok))
        case .failed(let fault):
            tail.publish(TailEntry(.job(.init(.readingFailed, code: fault.code.rawValue)), of: activity, .ok))
        case .dropped, .released: tail.publish(TailEntry(.job(.init(.readingFailed)), of: activity, .canceled))
        }
    }
}

/// How the work on a reading step ended.
enum ReadingEnding {
    case finished(ImportSummary)
    case failed(ImportFault)
    /// progress-host no longer accepts the step, or the connection was lost.
    case dropped
    /// The worker is stopping and returns the step.
    case released
}

extension ImportSource {
    /// Whether a model's answer determined the role of a column.
    fileprivate var usesModel: Bool { columns.contains { $0.by == .ai } }
}

/// Limits the number of steps carried out at a time. A library file that is waiting for a model does not count toward the limit, so a slow model
/// delays only the files that need it.
actor ReadingPlaces {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    /// Waits for a slot. Cancellation does not end the wait and need not: a stopping worker ends its readings, which frees their slots.
    func take() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func give() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

/// The files that are being read, so the host can withdraw them.
final class OpenReadings: Sendable {
    private let threads = NIOLockedValueBox<[ReadingStepKey: ReadingThread]>([:])

    var count: Int { threads.withLockedValue { $0.count } }

    func add(_ key: ReadingStepKey, _ thread: ReadingThread) { threads.withLockedValue { $0[key] = thread } }

    func remove(_ key: ReadingStepKey) { threads.withLockedValue { $0[key] = nil } }

    /// Stops reading the files of ended jobs (``WorkWithdrawn``).
    func drop(jobs: [JobID]) {
        for (key, thread) in threads.withLockedValue({ $0 }) where jobs.contains(key.jobId) { thread.stop() }
    }
}
