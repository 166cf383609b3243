import Foundation
import Logging
import ProviderClient
import Testing
import TestSupport
import Transfer

/// A suite whose tests call a server on this machine through a client of their own.
protocol ProviderClientSuite: Sendable {
    var clock: ManualClock { get }
}

extension ProviderClientSuite {
    func client(
        _ server: FaultServer, limits: BudgetLimits = BudgetLimits(), credential: ProviderCredential = .none,
        timeouts: TransferTimeouts = TransferTimeouts(
            connect: .seconds(60), firstByte: .seconds(60), total: .seconds(60)),
        jitter: Double = 0,
        judge: @escaping @Sendable (Int, Data) -> ProviderVerdict = { _, _ in .ordinary }
    ) throws -> ProviderClient {
        let configuration = ProviderConfiguration(
            name: "test", baseURL: try #require(BaseURL(server.baseURL)), credential: credential, timeouts: timeouts,
            retry: CallRetryPolicy(random: { jitter }), judge: judge)
        return ProviderClient(
            configuration: configuration,
            engine: try TransferEngine(userAgent: #require(UserAgent(version: "1.0", contact: nil))),
            budget: RequestBudget(limits: limits, clock: clock), clock: clock,
            logger: Logger(label: "test"))
    }

    func get(
        _ client: ProviderClient, _ path: String, priority: CallPriority = .bulk, seconds: Int = 60
    ) async -> Result<ProviderAnswer, ProviderFailure> {
        do throws(ProviderFailure) {
            return .success(try await client.get(path, priority: priority, deadline: clock.after(.seconds(seconds))))
        } catch {
            return .failure(error)
        }
    }

    func failure(_ client: ProviderClient, _ path: String, seconds: Int = 60) async -> ProviderFailure? {
        if case .failure(let failure) = await get(client, path, seconds: seconds) { failure } else { nil }
    }
}
