import JSON
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Observability

extension RPCConnection {
    /// Answers a ping; for any other request, starts or queues its handler, or refuses it. `id` is nil for a notification that is handled by a
    /// request's handler.
    func receive(
        _ id: RPCID?, _ method: String, _ parameters: ByteBuffer, deadline: Duration?, trace: TraceContext?
    ) {
        if method == Ping.name, let id {
            send(method) { FrameWriter.writeResult(id: id, Ping.body, to: &$0) }
            return
        }
        let call = InboundCall(method: method, activity: Activity(trace ?? TraceContext()))
        guard let handler = router.requests[method] else {
            refuse(id, call, ErrorObject(code: RPCErrorCode.methodNotFound, message: "Method not found"))
            return
        }
        let wait = min(deadline ?? handler.deadline ?? limits.defaultDeadline, limits.maximumDeadline)
        let expiry = channel.eventLoop.now + wait.timeAmount
        let admission = state.withLockedValue { state -> Admission in
            guard state.outbound.bufferedBytes < limits.maximumOutboundBytes / 2 else { return .refused(.overloaded) }
            guard let serial = state.requests.begin(id, call, deadline: expiry, isPaced: handler.pacedBytes != nil)
            else {
                let reason = "Invalid request: id is in use"
                return .refused(ErrorObject(code: RPCErrorCode.invalidRequest, message: reason))
            }
            state.setAlarm(at: expiry)
            guard let answerBytes = handler.pacedBytes else { return .starts(serial) }
            let request = PacedRequests.Request(serial: serial, answerBytes: answerBytes) {
                Activity.$current.withValue(call.activity) { self.run(handler, parameters, serial) }
            }
            switch state.paced.admit(request, buffered: state.outbound.bufferedBytes) {
            case .starts: return .starts(serial)
            case .waits: return .waits
            case .refused:
                _ = state.requests.end(serial)
                return .refused(.overloaded)
            }
        }
        switch admission {
        case .starts(let serial):
            Activity.$current.withValue(call.activity) { run(handler, parameters, serial) }
        case .waits: break
        case .refused(let error): refuse(id, call, error)
        }
    }

    /// What to do with an incoming request.
    private enum Admission {
        case starts(InboundRequests.Serial)
        /// The request is started when fewer bytes are waiting for the peer.
        case waits
        case refused(ErrorObject)
    }

    /// Starts the paced requests for which there is room.
    func startPacedRequests() {
        while let request = state.withLockedValue({ $0.paced.next(buffered: $0.outbound.bufferedBytes) }) {
            // The caller may have given up in the meantime.
            guard isAwaited(request.serial) else {
                finish(request.serial, .failure(CancellationError()))
                continue
            }
            request.start()
        }
    }

    private func run(_ handler: RequestHandler, _ parameters: ByteBuffer, _ serial: InboundRequests.Serial) {
        switch handler.body {
        case .task(let body): run(body, parameters, serial)
        case .inline(let body):
            body(parameters, self, ReplyTicket(self, serial: serial, parameterBytes: parameters.readableBytes))
        }
    }

    private func run(
        _ body: @escaping RequestHandler.TaskBody, _ parameters: ByteBuffer, _ serial: InboundRequests.Serial
    ) {
        let task = Task {
            let outcome: Result<ByteBuffer, any Error>
            do {
                outcome = .success(try await body(parameters, self))
            } catch {
                outcome = .failure(error)
            }
            self.finish(serial, outcome)
        }
        state.withLockedValue { $0.requests.attach(task, to: serial) }
    }

    /// Answers a request; does nothing if it was already answered or the connection has closed.
    func finish(_ serial: InboundRequests.Serial, _ outcome: Result<ByteBuffer, any Error>) {
        let ended = state.withLockedValue { state in
            // Reading may be waiting for a handler to end.
            let wasFull = state.requests.isFull
            return state.requests.end(serial).map { (request: $0, needsWake: wasFull && state.needsWake()) }
        }
        guard let ended else { return }
        if ended.needsWake { wake() }
        defer { if ended.request.isPaced { releasePaced(serial) } }
        switch outcome {
        case .success(let result):
            if let id = ended.request.id { answer(id, result, ended.request.call.method) }
            observe(ended.request, ended.request.isCancelled ? .abandoned : .succeeded)
        case .failure(let error):
            let object = errorObject(error, of: ended.request)
            if let id = ended.request.id { answer(id, object) }
            observe(ended.request, ended.request.isCancelled ? .abandoned : object.outcome)
        }
    }

    /// Releases the room reserved for the response to a paced request that has ended.
    private func releasePaced(_ serial: InboundRequests.Serial) {
        let needsWake = state.withLockedValue { state in
            state.paced.end(serial)
            return !state.paced.isEmpty && state.needsWake()
        }
        if needsWake { wake() }
    }

    /// Answers a request that does not reach a handler; a notification is dropped.
    private func refuse(_ id: RPCID?, _ call: InboundCall, _ error: ErrorObject) {
        guard let id else { return }
        answer(id, error)
        observe(call, error.outcome)
    }

    /// Reports the outcome of a request to the observers; notifications are not reported.
    func observe(_ request: InboundRequests.Request, _ outcome: AnsweredRequest.Outcome) {
        guard request.id != nil else { return }
        observe(request.call, outcome)
    }

    private func observe(_ call: InboundCall, _ outcome: AnsweredRequest.Outcome) {
        guard !router.observers.isEmpty else { return }
        // The method name is truncated: the peer may send one of any length, and observers keep it.
        let answered = AnsweredRequest(
            method: String(call.method.prefix(128)), peer: peer, outcome: outcome, activity: call.activity)
        for observer in router.observers { observer.answered(answered) }
    }

    private func errorObject(_ error: any Error, of request: InboundRequests.Request) -> ErrorObject {
        var object = ErrorObject(answering: error)
        // The deadline's timer may not have fired yet.
        if object.code == RPCErrorCode.cancelled, request.deadline <= channel.eventLoop.now {
            object = ErrorObject(code: RPCErrorCode.deadlineExceeded, message: "deadline exceeded")
        }
        if object.code == RPCErrorCode.internalError {
            Activity.$current.withValue(request.call.activity) {
                Activity.current?.note(error)
                logger.error("a handler failed", metadata: ["method": "\(request.call.method)", "error": "\(error)"])
            }
        }
        return object
    }

    private func answer(_ id: RPCID, _ result: ByteBuffer, _ method: String) {
        // The id and the envelope take up part of the frame; 512 bytes are enough for any reasonable id.
        guard result.readableBytes <= limits.maximumFrameBytes - 512 else {
            logger.error("a result is longer than a frame", metadata: ["method": "\(method)"])
            answer(id, ErrorObject(code: RPCErrorCode.internalError, message: "result too large"))
            return
        }
        guard router.requests[method]?.isIdempotent == true else {
            send(method) { FrameWriter.writeResult(id: id, result, to: &$0) }
            return
        }
        if case .refused(.full) = enqueue({ FrameWriter.writeResult(id: id, result, to: &$0) }) {
            answer(id, .overloaded)
        }
    }

    /// Answers with an error; `id` is nil if the request's id could not be read. An error that is longer than a frame, for example because of its
    /// details, is replaced by a short one, so that the caller does not wait in vain.
    func answer(_ id: RPCID?, _ error: ErrorObject) {
        let isSent = send("error") { FrameWriter.writeFailure(id: id, error, to: &$0) }
        if isSent { return }
        let short = ErrorObject(code: RPCErrorCode.internalError, message: "error too large")
        // This sends nothing if the connection has been closed, and drops a frame that is too long because of its id.
        send("error") { FrameWriter.writeFailure(id: id, short, to: &$0) }
    }

    /// Handles `$/cancelRequest`: marks the request as cancelled and cancels its task. A handler without a task has to check
    /// ``RPCReply/isAwaited``.
    func receiveCancel(_ parameters: ByteBuffer) {
        guard let id = CancelRequest.id(in: parameters) else {
            logger.debug("cancellation without id")
            return
        }
        let cancelled = state.withLockedValue { $0.requests.cancel(id) }
        guard cancelled.isKnown else {
            logger.debug("cancellation does not match a request in flight", metadata: ["id": "\(id)"])
            return
        }
        cancelled.task?.cancel()
    }

    /// Whether the peer is still waiting for a request's outcome.
    func isAwaited(_ serial: InboundRequests.Serial) -> Bool {
        let now = channel.eventLoop.now
        return state.withLockedValue { $0.requests.isAwaited(serial, at: now) }
    }

    /// Cancels the tasks of the requests whose deadline has passed.
    func expireRequests(at now: NIODeadline) {
        for task in state.withLockedValue({ $0.requests.expire(at: now) }) { task.cancel() }
    }
}

extension ErrorObject {
    /// The outcome to report to observers.
    fileprivate var outcome: AnsweredRequest.Outcome {
        code == RPCErrorCode.internalError ? .failed : .refused(code: data?.code ?? String(code))
    }
}

extension RPCConnection {
    /// Processes one frame.
    ///
    /// - Returns: Whether reading can continue.
    func receive(_ frame: ByteBuffer) -> Bool {
        let message: Message
        do throws(JSONFault) {
            message = try Message(frame)
        } catch {
            refuse(error)
            return false
        }
        switch message {
        case .request(let id, let method, let parameters, let deadline, let trace):
            receive(id, method, parameters, deadline: deadline, trace: trace)
        case .notification(let method, let parameters):
            receive(notification: method, parameters)
        case .result(let id, let result):
            receive(.success(result), for: id)
        case .failure(let id?, let error):
            let kind: RPCError.Kind =
                error.code == RPCErrorCode.overloaded
                ? .overloaded : .remote(code: error.code, message: error.message, data: error.data)
            receive(.failure(RPCError(kind)), for: id)
        case .failure(nil, let error):
            logger.error("the peer could not read a frame", metadata: ["error": "\(error.message)"])
        case .invalidRequest(let id, let reason):
            logger.error("not a request", metadata: ["reason": "\(reason)"])
            answer(id, ErrorObject(code: RPCErrorCode.invalidRequest, message: "Invalid request: \(reason)"))
        case .invalidResponse(let id, let reason):
            logger.error("not a response", metadata: ["reason": "\(reason)"])
            if let id { receive(.failure(RPCError(.protocolViolation(reason))), for: id) }
        }
        return true
    }

    private func receive(notification method: String, _ parameters: ByteBuffer) {
        if let handler = router.notifications[method] {
            do {
                try handler(parameters, self)
            } catch {
                logger.error(
                    "a notification cannot be decoded",
                    metadata: ["method": "\(method)", "error": "\(InvalidParameters(error))"])
            }
        } else if method == CancelRequest.name {
            receiveCancel(parameters)
        } else if router.requests[method] != nil {
            receive(nil, method, parameters, deadline: nil, trace: nil)
        } else {
            logger.debug("notification has no handler", metadata: ["method": "\(method)"])
        }
    }

    /// Answers a frame that is not a JSON object and closes the connection, because the rest of the stream cannot be trusted. Batches are refused in
    /// the same way.
    private func refuse(_ fault: JSONFault) {
        logger.error("a frame is not a JSON object", metadata: ["fault": "\(fault)"])
        let error =
            fault.reason == .notAnObject
            ? ErrorObject(code: RPCErrorCode.invalidRequest, message: "Invalid request: \(fault)")
            : ErrorObject(code: RPCErrorCode.parseError, message: "Parse error: \(fault)")
        closeAfter(error)
    }

    /// Answers a frame that is too long and closes the connection.
    func refuseOversizedFrame() {
        logger.error("a frame is too long")
        closeAfter(
            ErrorObject(
                code: RPCErrorCode.parseError,
                message: "Parse error: frame longer than \(limits.maximumFrameBytes) bytes"))
    }

    private func closeAfter(_ error: ErrorObject) {
        answer(nil, error)
        state.withLockedValue { if $0.phase == .open { $0.phase = .closing } }
    }
}
