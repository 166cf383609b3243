import GRDB
import JSONRPC
import SuiteMethods

/// The RPC entry points for the operators' console. Methods that only read bypass the engine.
extension HostMethods {
    private var inspector: JobInspector { JobInspector(lister: lister) }

    func addConsole(to router: inout RPCRouter) {
        router.handle(ListJobs.self) { parameters, _ in
            try await rpcErrors { try await lister.page(parameters) }
        }
        router.handle(ReadJobDetail.self) { parameters, _ in
            try await rpcErrors { try await inspector.detail(of: parameters.jobId) }
        }
        router.handle(ReadJobItems.self) { parameters, _ in
            try await rpcErrors { try await inspector.items(parameters) }
        }
        router.handle(ReadFailures.self) { parameters, _ in
            try await rpcErrors { try await FailureReader(pool: lister.pool).groups(parameters) }
        }
        router.handle(ReadAudit.self) { parameters, _ in
            try await rpcErrors { try await lister.pool.read { try AuditStore(db: $0).page(parameters) } }
        }
        handle(OperateJob.self, durable: true, in: &router) { parameters, _, engine, turn in
            try engine.operate(parameters, turn)
        }
        handle(RecordAudit.self, durable: true, outlivesCaller: true, in: &router) { parameters, _, _, turn in
            try turn.audit.append(
                at: turn.now.wall, parameters.actor, parameters.action, parameters.subject, outcome: parameters.outcome)
            return Nothing()
        }
    }
}
