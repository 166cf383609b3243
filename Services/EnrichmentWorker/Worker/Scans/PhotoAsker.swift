import BookstrackContract
import Engines
import ImageFiles
import JSON
import Logging
import NIOCore
import ProviderClient
import ServiceKit
import SuiteMethods

/// Has photos read by engines, which are tried one after another until one answers (scans.md "Engines"). A complete answer is cached by photo,
/// engine, model and version of the question, so it is not paid for twice.
struct PhotoAsker: Sendable {
    /// TTL of a cached answer.
    private static let lifetime = Duration.seconds(30 * 86_400)
    /// Pause before an unreachable shelf reader is asked again.
    private static let pause = Duration.seconds(1)

    let engines: EngineClients
    let cache: ProviderCache
    /// How long a photo that no other engine has read waits for an unreachable shelf reader, which restarts within seconds.
    var reconnectTimeout = Duration.seconds(60)
    private let turns = PhotoTurns()

    /// The reading of the first engine that answered, or why the first engine queried did not answer; nil if no engine was queried, because the task
    /// was cancelled or there is none.
    ///
    /// While another task is reading the same photo, this waits.
    func read(_ photo: PhotoFile) async -> Result<PhotoReading, PhotoFault>? {
        guard await turns.take(photo.digest) else { return nil }
        let reading = await readAlone(photo)
        await turns.end(photo.digest)
        return reading
    }

    private func readAlone(_ photo: PhotoFile) async -> Result<PhotoReading, PhotoFault>? {
        /// The newest fault of each engine.
        var faults: [EngineName: PhotoFault] = [:]
        /// Until when the photo waits for an unreachable shelf reader; nil before it was first found to be unreachable.
        var deadline: MonotonicInstant?
        // A photo is only claimed while an engine is present; if the engine has just been removed, the photo fails with the engine's error.
        let present = engines.present
        let asked = present.isEmpty ? engines.all : present
        var unasked = asked
        while !unasked.isEmpty, !Task.isCancelled {
            let engine = unasked.removeFirst()
            do throws(EngineFailure) {
                return .success(try await read(photo, with: engine))
            } catch {
                faults[engine.name] = PhotoFault(error, of: engine.name, photo.header.type)
                let now = engines.clock.now
                let limit = deadline ?? now.advanced(by: reconnectTimeout)
                if engine.name == .reader, error.isUnreachable, now < limit {
                    deadline = limit
                    unasked.append(engine)
                    if unasked.count == 1 { try? await engines.clock.sleep(until: now.advanced(by: Self.pause)) }
                    continue
                }
                engines.metrics.engine(engine.name, EngineOutcome(error))
                engines.logger.notice(
                    "an engine could not read a photo",
                    metadata: ["engine": "\(engine.name)", "reason": "\(error.code)"])
            }
        }
        return asked.compactMap { faults[$0.name] }.first.map { .failure($0) }
    }

    /// The engine's cached reading of a photo, or a new one.
    private func read(_ photo: PhotoFile, with engine: Engine) async throws(EngineFailure) -> PhotoReading {
        let key = "photo:\(photo.digest):\(engine.name.rawValue):\(engine.model):\(ShelfQuestion.version)"
        if let json = await cache.kept(key), let kept = try? JSONCoding.decode(PhotoReading.self, from: json) {
            return kept
        }
        let (spines, isComplete) = try await spines(in: photo, engine)
        engines.metrics.engine(engine.name, .answered)
        let reading = PhotoReading(engine: engine.name.rawValue, model: engine.model, spines: spines)
        if isComplete, let json = try? JSONCoding.encode(reading) {
            await cache.keep(json, as: key, for: Self.lifetime)
        }
        return reading
    }

    /// The spines in a photo. If the answer is cut off, its complete entries are kept, and the engine is asked about each half of the photo once. If
    /// the engine fails for a half, the spines found elsewhere in the photo are returned, and the reading is not complete.
    ///
    /// - Throws: A failure for the whole photo, a cancellation, or, if no spines are known, the failure for the first half that failed.
    private func spines(
        in photo: PhotoFile, _ engine: Engine
    ) async throws(EngineFailure) -> (spines: [DetectedSpine], isComplete: Bool) {
        let known: [DetectedSpine]
        switch try await ask(.whole, photo, engine) {
        case .whole(let spines): return (spines, true)
        case .cutOff(let spines): known = spines
        }
        var all: [DetectedSpine] = []
        var first: EngineFailure?
        for part in [ShelfQuestion.Part.left, .right] {
            do throws(EngineFailure) {
                switch try await ask(part, photo, engine) {
                case .whole(let spines), .cutOff(let spines): all.add(spines)
                }
            } catch {
                guard !Task.isCancelled, error != .call(.cancelled) else { throw error }
                engines.logger.notice(
                    "an engine could not read half of a photo",
                    metadata: ["engine": "\(engine.name)", "reason": "\(error.code)"])
                first = first ?? error
            }
        }
        all.add(known)
        if let first, all.isEmpty { throw first }
        return (Array(all.prefix(ShelfAnswer.maxBooks)), first == nil)
    }

    private enum Answer {
        case whole([DetectedSpine])
        case cutOff([DetectedSpine])
    }

    private func ask(
        _ part: ShelfQuestion.Part, _ photo: PhotoFile, _ engine: Engine
    ) async throws(EngineFailure) -> Answer {
        let question = ShelfQuestion.question(mediaType: photo.header.type.mediaType, part: part)
        do throws(EngineFailure) {
            let answer = try await engine.ask(
                question, photo: photo.sources, priority: .interactive,
                deadline: engines.clock.now.advanced(by: engine.photoTimeout))
            guard let spines = ShelfAnswer.read(answer, barcodes: engine.name == .reader) else {
                throw .answer(.malformed)
            }
            return .whole(spines)
        } catch {
            guard case .answer(.cutOff(let text)) = error else { throw error }
            return .cutOff(ShelfAnswer.read(cutOff: text))
        }
    }
}

/// The photos that are being read, by digest. Each is read by one task at a time, so the others can find the answer in the cache.
///
/// The same photo may be in two scans. Also, a scan is handed out again when progress-host restarts, while its photo is still being read.
private actor PhotoTurns {
    /// For each photo that is being read, the streams of the tasks that wait for it.
    private var waiting: [String: [AsyncStream<Void>.Continuation]] = [:]

    /// Waits until no other task is reading the photo. Returns false, without a turn, if the task is cancelled in the meantime.
    func take(_ digest: String) async -> Bool {
        while waiting[digest] != nil {
            let (end, waiter) = AsyncStream<Void>.makeStream()
            waiting[digest]?.append(waiter)
            for await _ in end {}
            if Task.isCancelled { return false }
        }
        waiting[digest] = []
        return true
    }

    /// Ends a turn, and wakes the tasks that are waiting for the photo.
    func end(_ digest: String) {
        for waiter in waiting.removeValue(forKey: digest) ?? [] { waiter.finish() }
    }
}

extension [DetectedSpine] {
    /// Adds spines, except those with the same title and nearly the same left edge as a spine that has already been added.
    fileprivate mutating func add(_ spines: [DetectedSpine]) {
        self += spines.filter { spine in
            !contains { $0.displayTitle == spine.displayTitle && abs($0.box.x1 - spine.box.x1) < 0.05 }
        }
    }
}

extension PhotoFault {
    /// The fault of a photo after an engine's failure, if no other engine reads the photo.
    init(_ failure: EngineFailure, of engine: EngineName, _ type: ImageType) {
        let code: FrameErrorCode = engine == .gemini ? .geminiAPIError : .aiScanFailed
        switch failure {
        case .answer(.blocked(let reason)):
            self.init(
                code, "The AI service declined to read this photo (\(reason.prefix(40))). Try a different photo.",
                isRetryable: false)
        case .answer(.unreadable) where type == .heif:
            self.init(code, "HEIC photos cannot be read here. Convert the photo to JPEG.", isRetryable: false)
        // A proxy in front of an engine may have a limit below the suite's own.
        case .answer(.unreadable), .call(.httpStatus(413)):
            self.init(code, "The photo could not be read. Send a smaller JPEG.", isRetryable: false)
        case .call(.timeout):
            self.init(
                engine == .gemini ? .geminiTimeout : code, "AI analysis took too long. Try a smaller photo.",
                isRetryable: true)
        case .call(.rateLimited):
            self.init(code, "The AI service is busy. Please try again in a few minutes.", isRetryable: true)
        case .call(let failure) where failure.isQuota:
            self.init(code, "Today's AI requests are used up. Please try again tomorrow.", isRetryable: true)
        case .call, .answer:
            self.init(code, "AI analysis failed. Please try again.", isRetryable: true)
        }
    }
}
