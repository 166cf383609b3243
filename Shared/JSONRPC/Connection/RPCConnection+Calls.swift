import Logging
import NIOConcurrencyHelpers
package import NIOCore
import Observability

extension RPCConnection {
    /// Calls a typed method.
    ///
    /// - Parameter deadline: How long to wait; nil for the method's default.
    /// - Throws: ``RPCError``
    package func call<Method: RPCMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, deadline: Duration? = nil
    ) async throws(RPCError) -> Method.Result {
        let body = try encode(parameters, of: method)
        return try decode(try await callRaw(Method.name, body, deadline: deadline ?? Method.deadline), of: method)
    }

    /// Like ``call(_:_:deadline:)`` with the method's default deadline, for callers without a task: `complete` is called once, as in
    /// ``callRaw(_:_:deadline:completing:)``.
    package func call<Method: RPCMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters,
        completing complete: @escaping @Sendable (Result<Method.Result, RPCError>) -> Void
    ) {
        do throws(RPCError) {
            callRaw(Method.name, try encode(parameters, of: method), deadline: Method.deadline) { outcome in
                complete(outcome.flatMap { raw in Result { () throws(RPCError) in try self.decode(raw, of: method) } })
            }
        } catch {
            complete(.failure(error))
        }
    }

    private func encode<Method: RPCMethod>(
        _ parameters: Method.Parameters, of method: Method.Type
    ) throws(RPCError) -> ByteBuffer {
        do {
            return try BodyCoding.encode(parameters)
        } catch {
            throw RPCError(.protocolViolation("parameters of \(Method.name) cannot be encoded"))
        }
    }

    private func decode<Method: RPCMethod>(
        _ raw: ByteBuffer, of method: Method.Type
    ) throws(RPCError) -> Method.Result {
        do {
            return try BodyCoding.decode(Method.Result.self, from: raw)
        } catch {
            logger.error("a result cannot be decoded", metadata: ["method": "\(Method.name)", "error": "\(error)"])
            throw RPCError(.protocolViolation("result of \(Method.name) cannot be decoded"))
        }
    }

    /// Calls a method with parameters that are already JSON, and returns the result's JSON.
    ///
    /// The call carries the trace of the current ``Activity``. If the deadline passes or the calling task is cancelled, a `$/cancelRequest` is sent,
    /// unless the outbound queue is full.
    ///
    /// - Throws: ``RPCError``
    package func callRaw(
        _ name: String, _ parameters: ByteBuffer, deadline: Duration
    ) async throws(RPCError) -> ByteBuffer {
        let id = nextCallID()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(id, name, parameters, deadline) { continuation.resume(returning: $0) }
                // A cancellation that came before the call was added had no effect.
                if Task.isCancelled { abandon(id, .cancelled) }
            }
        } onCancel: {
            abandon(id, .cancelled)
        }
        return try outcome.get()
    }

    /// Like ``callRaw(_:_:deadline:)``, for callers without a task: `complete` is called once, on the connection's event loop or, if the call cannot
    /// be sent, immediately.
    package func callRaw(
        _ name: String, _ parameters: ByteBuffer, deadline: Duration,
        completing complete: @escaping @Sendable (Result<ByteBuffer, RPCError>) -> Void
    ) {
        begin(nextCallID(), name, parameters, deadline, complete)
    }

    /// Pings the peer without waiting for the response: any received byte counts as activity.
    func sendPing(deadline: Duration) {
        begin(nextCallID(), Ping.name, Ping.body, deadline) { _ in }
    }

    private func begin(
        _ id: Int64, _ name: String, _ parameters: ByteBuffer, _ deadline: Duration,
        _ complete: @escaping PendingCalls.Completion
    ) {
        let expiry = channel.eventLoop.now + deadline.timeAmount
        let trace = Activity.current?.trace
        let started: Result<Bool, RPCError> = state.withLockedValue { state in
            guard state.phase == .open else { return .failure(.connectionLost) }
            // Without pings, the peer would seem silent until one of the calls ends.
            guard !state.calls.isFull || name == Ping.name else { return .failure(.overloaded) }
            do throws(OutboundQueue.Refusal) {
                try state.outbound.append { buffer in
                    FrameWriter.writeRequest(
                        id: id, method: name, deadline: deadline, trace: trace, parameters: parameters, to: &buffer)
                }
            } catch {
                return .failure(error == .full ? .overloaded : .frameTooLarge)
            }
            state.calls.add(id, deadline: expiry, complete: complete)
            let movesTimer = state.setAlarm(at: expiry)
            return .success(state.needsWake(toWrite: !movesTimer))
        }
        switch started {
        case .success(let needsWake): if needsWake { wakeForCall() }
        case .failure(let error): complete(.failure(error))
        }
    }

    /// Abandons a call and sends the peer a cancellation; does nothing if the call has already ended or has not been added yet.
    private func abandon(_ id: Int64, _ error: RPCError) {
        guard let complete = state.withLockedValue({ $0.calls.remove(id) }) else { return }
        requestCancel(of: id)
        complete(.failure(error))
    }

    /// Abandons the calls whose deadline has passed.
    func expireCalls(at now: NIODeadline) {
        for (id, complete) in state.withLockedValue({ $0.calls.removeExpired(at: now) }) {
            requestCancel(of: id)
            complete(.failure(.deadlineExceeded))
        }
    }

    /// Sends a cancellation. If there is no room for it, it is not sent; the peer's own deadline also ends the handler.
    private func requestCancel(of id: Int64) {
        let parameters = ByteBuffer(string: "{\"id\":\(id)}")
        enqueue { FrameWriter.writeNotification(method: CancelRequest.name, parameters: parameters, to: &$0) }
    }

    /// Handles a response. A response to an unknown call is either late or the peer's mistake, and is ignored.
    func receive(_ outcome: Result<ByteBuffer, RPCError>, for id: RPCID) {
        guard case .integer(let number) = id,
            let complete = state.withLockedValue({ $0.calls.remove(number) })
        else {
            logger.debug("response does not match a call in flight", metadata: ["id": "\(id)"])
            return
        }
        complete(outcome)
    }
}

/// This end's calls that are waiting for responses.
struct PendingCalls {
    /// Passes a call's outcome to its caller.
    typealias Completion = @Sendable (Result<ByteBuffer, RPCError>) -> Void

    private struct Call {
        let deadline: NIODeadline
        let complete: Completion
    }

    private let maximum: Int
    private var calls: [Int64: Call] = [:]

    init(maximum: Int) {
        self.maximum = maximum
    }

    var isFull: Bool { calls.count >= maximum }
    var count: Int { calls.count }

    /// The earliest deadline of any call; nil if there are none.
    var earliestDeadline: NIODeadline? { calls.values.lazy.map(\.deadline).min() }

    mutating func add(_ id: Int64, deadline: NIODeadline, complete: @escaping Completion) {
        calls[id] = Call(deadline: deadline, complete: complete)
    }

    /// Removes an answered or abandoned call; nil if it is unknown or was already removed.
    mutating func remove(_ id: Int64) -> Completion? {
        calls.removeValue(forKey: id)?.complete
    }

    /// Removes the calls whose deadline has passed.
    mutating func removeExpired(at now: NIODeadline) -> [(id: Int64, complete: Completion)] {
        let expired = calls.filter { $0.value.deadline <= now }
        for id in expired.keys { calls[id] = nil }
        return expired.map { ($0.key, $0.value.complete) }
    }

    mutating func removeAll() -> [Completion] {
        defer { calls = [:] }
        return calls.values.map(\.complete)
    }
}
