import BookstrackContract
import Foundation
import JSONRPC
import ProviderClient
import SuiteMethods

/// Operators' actions on providers (console.md "Providers").
struct ProviderOperations: Sendable {
    let providers: [ProviderClient]
    /// Sends the questions that were waiting for a provider.
    let scheduler: QuestionScheduler

    /// Performs an action on a provider.
    ///
    /// Throws `NOT_FOUND` for an unknown provider, `INVALID_REQUEST` for an action that the provider does not support or an invalid number or key,
    /// and `SERVICE_UNAVAILABLE` if the cache cannot be written.
    func perform(_ parameters: OperateProvider.Parameters) async throws -> OperateProvider.Result {
        guard let provider = providers.first(where: { $0.name == parameters.provider }) else {
            throw Self.failure(.notFound, "there is no provider \(parameters.provider)")
        }
        let outcome =
            switch parameters.action {
            case .resume: resume(provider)
            case .allow: try await allow(parameters.requests, provider)
            case .useKey: try use(parameters.key, provider)
            }
        scheduler.providersResumed()
        return OperateProvider.Result(outcome: outcome)
    }

    private func resume(_ provider: ProviderClient) -> String {
        provider.resume()
        return "Calls have resumed"
    }

    private func allow(_ requests: Int?, _ provider: ProviderClient) async throws -> String {
        guard let requests, (1...OperateProvider.maxRequests).contains(requests) else {
            throw Self.failure(.invalidRequest, "requests must be a number from 1 to \(OperateProvider.maxRequests)")
        }
        let left: Int?
        do {
            left = try await provider.budget.allowMore(requests)
        } catch {
            throw Self.failure(.serviceUnavailable, "the budget cannot be stored: \(error)")
        }
        guard let left else {
            throw Self.failure(.invalidRequest, "\(provider.name) has no daily budget")
        }
        return left == 1 ? "1 request is left today" : "\(left) requests are left today"
    }

    private func use(_ key: String?, _ provider: ProviderClient) throws -> String {
        // As in a key file, white space around the key is not part of it.
        let key = key?.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let key, !key.isEmpty, key.count <= OperateProvider.maxKeyLength else {
            throw Self.failure(.invalidRequest, "a key must have 1 to \(OperateProvider.maxKeyLength) characters")
        }
        guard provider.snapshot.hasKey else {
            throw Self.failure(.invalidRequest, "\(provider.name) is called without a key")
        }
        guard provider.use(key: key) else {
            throw Self.failure(.invalidRequest, "the key contains characters that cannot be sent")
        }
        return "The key is used until the worker restarts"
    }

    private static func failure(_ code: APIErrorCode, _ message: String) -> RPCApplicationError {
        RPCApplicationError(code: code.rawValue, message: message)
    }
}
