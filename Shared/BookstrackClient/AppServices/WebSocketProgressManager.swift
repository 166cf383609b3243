public import BookstrackContract
import Foundation

#if canImport(Combine)
    public import Combine
#else
    public import Observation
#endif

/// Follows one job at a time for a view. Its methods have the same names as those of the v1 manager, but its connections recover automatically.
///
/// ```swift
/// let manager = WebSocketProgressManager(client: client)
/// manager.connect(jobId: job.jobId) { event in bar.progress = event.progress ?? bar.progress }
/// ```
///
/// SwiftUI views can observe it: it is an `ObservableObject` on Apple platforms and `Observable` elsewhere.
#if !canImport(Combine)
    @Observable
#endif
@MainActor
public final class WebSocketProgressManager {
    /// Whether the server has responded on the current connection.
    public private(set) var isConnected = false { willSet { announceChange() } }
    /// Why the connection broke, or why the job can no longer be followed; nil while there is no error.
    public private(set) var lastError: BookstrackError? { willSet { announceChange() } }
    /// The newest event of the job; nil before the first.
    public private(set) var lastEvent: JobEvent? { willSet { announceChange() } }
    /// Round-trip time of the last answered ping; nil before the first.
    public private(set) var roundTrip: Duration? { willSet { announceChange() } }
    /// Transport of the newest connection attempt; nil before the first.
    public private(set) var transport: EventTransport? { willSet { announceChange() } }

    private let client: BookstrackClient
    private var job: JobID?
    private let following = OwnedTask()
    /// Identifies the newest call to follow a job or to stop. Responses and reports that belong to an earlier call are dropped.
    private var request = UUID()

    /// Creates a manager that follows no job yet.
    public init(client: BookstrackClient) { self.client = client }

    /// Saves `token`, if given, and follows a job instead of the previous one. `handler` receives the events in order, each once.
    public func connect(
        jobId: JobID, token: String? = nil, from position: EventPosition = .start,
        handler: @escaping @MainActor (JobEvent) -> Void
    ) {
        disconnect()
        configureForJob(jobId)
        let request = request
        following.start { [weak self, client] in
            do {
                if let token { try await client.save(token, of: jobId) }
                let events = client.events(of: jobId, from: position) { status in
                    Task { @MainActor in self?.show(status, of: request) }
                }
                for try await event in events {
                    guard let self, !Task.isCancelled else { return }
                    lastEvent = event
                    lastError = nil
                    handler(event)
                }
            } catch {
                if !Task.isCancelled { self?.lastError = error as? BookstrackError }
            }
        } ended: { [weak self] _ in
            self?.isConnected = false
        }
    }

    /// Stops following the previous job, reads the state of a job, and begins to follow it when the server has responded.
    ///
    /// Connecting before starting a job is no longer necessary: events are stored, so a client that connects later does not miss any.
    ///
    /// - Throws: ``BookstrackError`` if the token cannot be saved or the job's state cannot be read, or with `cancelled` if another call has
    ///   meanwhile told the manager to follow a job or to stop.
    public func establishConnection(jobId: JobID, token: String? = nil) async throws(BookstrackError) {
        disconnect()
        configureForJob(jobId)
        let request = request
        if let token { try await client.save(token, of: jobId) }
        _ = try await client.state(of: jobId)
        guard request == self.request else {
            throw BookstrackError(.cancelled, "a later call has replaced this one")
        }
        connect(jobId: jobId) { _ in }
    }

    /// Resets the displayed values, to show a job before it is followed. If another job is being followed, stops following it.
    public func configureForJob(_ jobId: JobID) {
        if jobId != job { disconnect() }
        job = jobId
        (lastEvent, lastError, roundTrip, transport) = (nil, nil, nil, nil)
    }

    /// Does nothing: every WebSocket sends `ready` automatically (websocket.md "Connection lifetime"). The method is kept for callers of the v1
    /// manager.
    public func sendReadySignal() {}

    /// Stops following; the job continues.
    public func disconnect() {
        request = UUID()
        following.cancel()
        isConnected = false
    }

    private func show(_ status: ConnectionStatus, of request: UUID) {
        guard request == self.request, following.isRunning else { return }
        switch status {
        case .connecting(let next): transport = next
        case .connected: (isConnected, lastError) = (true, nil)
        case .roundTrip(let time): roundTrip = time
        case .received: break
        case .disconnected(let error, _): (isConnected, lastError) = (false, error)
        }
    }

    private func announceChange() {
        #if canImport(Combine)
            objectWillChange.send()
        #endif
    }
}

#if canImport(Combine)
    extension WebSocketProgressManager: ObservableObject {}
#endif
