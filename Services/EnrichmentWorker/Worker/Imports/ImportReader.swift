import BookstrackContract
import JSONRPC
import LibraryImport
import Logging
import Observability
import ProviderClient
import SuiteMethods

/// Carries out reading steps: reads a file and delivers its rows to progress-host (imports.md "Life").
struct ImportReader: Sendable {
    let readings: OpenSteps
    let limits: TableLimits
    let mappings: MappingCaller
    let clock: any SuiteClock
    let tail: TailHub
    let metrics: ReadingMetrics
    let logger: Logger
    let permits = StepPermits(2)

    /// Reads until the end of the file or a failure, until the step is no longer needed, or until the task is cancelled.
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
        readings.add(step.key) { thread.stop() }
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
        thread.start(path: step.path, bytes: step.bytes, options: options, limits: limits, asks: mappings.canAsk)
        var delivery = delivery
        var model: String?
        for await event in thread.events {
            guard !thread.isStopped else { return .dropped }
            switch event {
            case .progress(let bytes, let phase): delivery.progress(bytes, phase)
            case .page(let page):
                do {
                    try await delivery.deliver(page)
                    thread.resume()
                } catch {
                    thread.stop()
                    return await give(up: delivery, after: error)
                }
            case .question(let question):
                let mapping = await delivery.renewingLease {
                    await permits.release()
                    let mapping = await mappings.answer(to: question, priority: .bulk)
                    await permits.acquire()
                    return mapping
                }
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

    /// Ends the delivery after an error. A step that is no longer needed, or whose connection has closed, no longer belongs to this worker; after a
    /// cancellation, ``ending(of:_:)`` returns the step. If the host refused a delivery, the step fails.
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
