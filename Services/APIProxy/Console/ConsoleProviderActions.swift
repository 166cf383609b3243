import BookstrackContract
import JSON
import JSONRPC
import SuiteMethods

/// Operator actions on a provider (console.md "Providers").
struct ConsoleProviderActions: Sendable {
    let workers: WorkerLinks
    let actions: ConsoleActions

    /// Body of `POST /console/api/providers/actions`: `{provider, action, requests?, key?}`.
    struct Request {
        var parameters: OperateProvider.Parameters

        /// Reads a body. Throws `APIFailure`.
        init(_ bytes: [UInt8]) throws {
            var provider: String?
            var action: OperateProvider.Action?
            var requests: Int?
            var key: String?
            try JSONReader.readBody(bytes) { reader, name in
                switch name {
                case "provider": provider = try reader.readText(at: name, limit: 100)
                case "action": action = try reader.readCase(at: name)
                case "requests":
                    let range = 1...OperateProvider.maxRequests
                    guard try reader.peek() == .number, let number = try reader.readInteger(), range.contains(number)
                    else {
                        throw APIFailure.invalid(name, "must be a number from 1 to \(range.upperBound)")
                    }
                    requests = number
                case "key": key = try reader.readText(at: name, limit: OperateProvider.maxKeyLength)
                default: try reader.skipValue()
                }
            }
            guard let provider else { throw APIFailure.invalid("provider", "is missing") }
            guard let action else { throw APIFailure.invalid("action", notIn: OperateProvider.Action.self) }
            guard (action == .allow) == (requests != nil) else {
                throw APIFailure.invalid("requests", "is required for the action allow and not allowed with any other")
            }
            guard (action == .useKey) == (key != nil) else {
                throw APIFailure.invalid("key", "is required for the action useKey and not allowed with any other")
            }
            parameters = .init(provider: provider, action: action, requests: requests, key: key)
        }

        /// The action as recorded in the audit log, without the key.
        fileprivate var summary: String {
            [parameters.action.rawValue, parameters.requests.map { "\($0)" }].compactMap(\.self)
                .joined(separator: " ")
        }
    }

    /// The outcome of the action on one worker.
    struct Outcome: Codable, Sendable {
        var worker: String
        var isDone: Bool
        /// What was done, or what went wrong.
        var outcome: String
    }

    /// Performs the action on every connected worker. The exception is `allow`, which adds requests to a budget that the workers share: once a worker
    /// has added them, or may have added them although it did not respond, no other worker is asked.
    func perform(_ request: Request, _ caller: ConsoleCaller) async -> [Outcome] {
        var outcomes: [Outcome] = []
        for link in workers.links where link.client.isConnected {
            let (outcome, mayBeDone) = await perform(request, link)
            outcomes.append(outcome)
            if request.parameters.action == .allow && mayBeDone { break }
        }
        if outcomes.isEmpty {
            let name = ServiceName.enrichmentWorker.rawValue
            outcomes = [Outcome(worker: name, isDone: false, outcome: "No worker is connected.")]
        }
        await actions.note(
            request.summary, on: request.parameters.provider, caller.address, session: caller.session?.name,
            outcome: outcomes.map(\.outcome).joined(separator: "; "))
        return outcomes
    }

    private func perform(
        _ request: Request, _ link: WorkerLinks.Link
    ) async -> (outcome: Outcome, mayBeDone: Bool) {
        func outcome(_ isDone: Bool, _ text: String) -> Outcome {
            Outcome(worker: link.instance.name, isDone: isDone, outcome: text)
        }
        do throws(RPCError) {
            let result = try await link.client.call(OperateProvider.self, request.parameters)
            return (outcome(true, result.outcome), true)
        } catch {
            switch error.kind {
            case .connectionLost, .deadlineExceeded, .cancelled:
                return (outcome(false, "The worker did not answer; the action may have been carried out."), true)
            default: return (outcome(false, APIFailure(fromWorker: error).message), false)
            }
        }
    }
}
