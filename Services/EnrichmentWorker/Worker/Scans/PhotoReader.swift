import BookstrackContract
import ImageFiles
import JSONRPC
import Logging
import NIOPosix
import Observability
import ProviderClient
import SuiteMethods

/// Carries out one step of a scan: reads its photos one after another and delivers the results (scans.md "Life").
struct PhotoReader: Sendable {
    /// Delay before a delivery is repeated.
    private static let pause = Duration.milliseconds(250)

    let asker: PhotoAsker
    let open: OpenSteps
    let clock: any SuiteClock
    let tail: TailHub
    let metrics: ScanMetrics
    let logger: Logger
    let threads = NIOThreadPool.singleton

    /// Reads all photos, but stops if the step is no longer needed, an outcome cannot be delivered, or the task is cancelled.
    func read(_ step: ScanStep, _ connection: RPCConnection) async {
        let activity = Activity(step.trace ?? TraceContext(), jobID: step.key.jobId.text)
        await Activity.$current.withValue(activity) {
            let task = Task { await readPhotos(of: step, connection) }
            open.add(step.key) { task.cancel() }
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
            open.remove(step.key)
            guard Task.isCancelled else { return }
            // The worker is stopping: unread photos are returned.
            await Task { _ = try? await connection.call(ReleaseImport.self, .init(key: step.key)) }.value
        }
    }

    private func readPhotos(of step: ScanStep, _ connection: RPCConnection) async {
        for photo in step.photos {
            let start = clock.now
            guard let outcome = await outcome(of: photo, step, connection), !Task.isCancelled else { return }
            let code = outcome.fault?.code.rawValue
            metrics.read(outcome, after: start.duration(to: clock.now))
            if let activity = Activity.current {
                let event = TailSubject.Step(
                    code == nil ? .photoRead : .photoFailed, index: photo.index,
                    result: outcome.reading.map { "spines: \($0.spines.count), engine: \($0.engine)" }, code: code)
                tail.publish(TailEntry(.job(event), of: activity, .ok))
            }
            guard await deliver(outcome, connection) else { return }
        }
    }

    /// Reads a photo and returns its outcome; nil if the task was cancelled or the process is ending.
    private func outcome(
        of photo: ScanStep.Photo, _ step: ScanStep, _ connection: RPCConnection
    ) async -> RecordPhoto.Parameters? {
        let progress = ScanProgress.Parameters(key: step.key, photo: photo.index)
        connection.notify(ScanProgress.self, progress)
        return await clock.renewingLease({ connection.notify(ScanProgress.self, progress) }) {
            await outcome(of: photo, step)
        }
    }

    private func outcome(of photo: ScanStep.Photo, _ step: ScanStep) async -> RecordPhoto.Parameters? {
        let file = try? await threads.runIfActive { () -> Result<PhotoFile, PhotoFault> in
            do throws(PhotoFault) { return .success(try PhotoFile(path: photo.path)) } catch { return .failure(error) }
        }
        switch file {
        case nil: return nil
        case .failure(let fault):
            return RecordPhoto.Parameters(key: step.key, photo: photo.index, outcome: .failure(fault))
        case .success(let file):
            guard let reading = await asker.read(file)?.map(\.identified) else { return nil }
            var outcome = RecordPhoto.Parameters(key: step.key, photo: photo.index, outcome: reading)
            outcome.width = file.header.shownSize.width
            outcome.height = file.header.shownSize.height
            return outcome
        }
    }

    /// Repeats the delivery until the host accepts it; false if no further photo should be read, for example because the host is disconnected. If the
    /// host refuses a reading, for example because it does not fit into a frame, the photo fails instead.
    private func deliver(_ outcome: RecordPhoto.Parameters, _ connection: RPCConnection) async -> Bool {
        var faults = LogOnce()
        while true {
            do throws(RPCError) {
                return try await connection.call(RecordPhoto.self, outcome).isWanted
            } catch {
                guard connection.isOpen, !Task.isCancelled else { return false }
                if faults.note("\(error)") {
                    logger.warning(
                        "progress-host did not accept a photo",
                        metadata: ["jobId": "\(outcome.key.jobId)", "error": "\(error)"])
                }
                if error.mayRepeatDelivery {
                    try? await clock.sleep(until: clock.now.advanced(by: Self.pause))
                    connection.notify(ScanProgress.self, .init(key: outcome.key, photo: outcome.photo))
                } else if outcome.reading != nil {
                    let failed = RecordPhoto.Parameters(
                        key: outcome.key, photo: outcome.photo, outcome: .failure(.notStored))
                    return await deliver(failed, connection)
                } else {
                    return false
                }
            }
        }
    }
}

extension PhotoFault {
    fileprivate static let notStored = PhotoFault(
        .aiScanFailed, "The books that were read could not be stored.", isRetryable: false)
}

extension PhotoReading {
    /// The reading with an identity for each spine, by which equal spines are recognized.
    fileprivate var identified: PhotoReading {
        var reading = self
        for place in spines.indices {
            let spine = spines[place]
            reading.spines[place].identity = BookIdentity.text(title: spine.displayTitle, author: spine.author ?? "")
        }
        return reading
    }
}
