import Logging
import NIOConcurrencyHelpers
import NIOCore

extension RPCConnection {
    /// Acts on one frame.
    ///
    /// - Returns: Whether the stream can be read on.
    func receive(_ frame: ByteBuffer) -> Bool {
        let message: Message
        do throws(ScanFault) {
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
            logger.error("not an answer", metadata: ["reason": "\(reason)"])
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
                    "a notification does not decode",
                    metadata: ["method": "\(method)", "error": "\(InvalidParameters(error))"])
            }
        } else if method == CancelRequest.name {
            receiveCancel(parameters)
        } else if router.requests[method] != nil {
            receive(nil, method, parameters, deadline: nil, trace: nil)
        } else {
            logger.debug("a notification without handler", metadata: ["method": "\(method)"])
        }
    }

    /// Answers what is no JSON object, and closes: behind it the stream cannot be trusted. Batches are refused so, too.
    private func refuse(_ fault: ScanFault) {
        logger.error("a frame is no JSON object", metadata: ["fault": "\(fault)"])
        let error =
            fault.reason == .notAnObject
            ? ErrorObject(code: RPCErrorCode.invalidRequest, message: "Invalid request: \(fault)")
            : ErrorObject(code: RPCErrorCode.parseError, message: "Parse error: \(fault)")
        closeAfter(error)
    }

    /// Answers a frame beyond the bound, and closes.
    func refuseOversizedFrame() {
        logger.error("a frame beyond the bound")
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
