import JSONRPC
import NIOCore
import SuiteMethods

/// The RPC entry points for imports.
extension HostMethods {
    func addImports(to router: inout RPCRouter) {
        handle(BeginImport.self, durable: true, in: &router) { parameters, _, engine, turn in
            try engine.beginImport(parameters, turn)
        }
        handle(ImportUploaded.self, durable: true, in: &router) { parameters, _, engine, turn in
            try engine.importUploaded(parameters.jobId, turn)
            return Nothing()
        }
        addResults(ReadImportResults.name, to: &router) { (parameters: ReadImportResults.Parameters) in
            (parameters.jobId, { try await results.importOpening(of: parameters.jobId).raw() })
        }
        addResults(ReadImportPage.name, to: &router) { (parameters: ReadImportPage.Parameters) in
            (parameters.jobId, { try await results.importPage(of: parameters.jobId, cursor: parameters.cursor).raw })
        }
        addReadingSteps(to: &router)
    }

    private func addReadingSteps(to router: inout RPCRouter) {
        handleClaim(ClaimImport.self, in: &router) { $0.readingSteps.claims }
        router.handleRawInline(RecordImportRows.name, answering: StepAnswer.self) { raw, connection, reply in
            guard let rows = RecordImportRows(raw: raw) else {
                return reply.fail(HostFailure.invalidRequest("a page does not have the documented shape").rpc)
            }
            let peer = connection.id
            engine.submit(bytes: raw.readableBytes, reply: { reply.answer($0) }) { engine, turn in
                try engine.recordImportRows(rows, from: peer, turn)
            }
        }
        router.on(ImportProgress.self) { parameters, connection in
            let peer = connection.id
            engine.post { engine, turn in
                try engine.noteImportProgress(parameters, from: peer, turn)
            } refuse: { _ in
                // Renews the lease, so that a worker keeps its step while it waits for storage to accept writes again.
                engine.tell { engine, turn in _ = engine.readingSteps.held(parameters.key, by: peer, turn) }
            }
        }
        handle(FinishImport.self, durable: true, in: &router) { parameters, link, engine, turn in
            try engine.finishImport(parameters, from: link.id, turn)
        }
        handle(FailImport.self, durable: true, in: &router) { parameters, link, engine, turn in
            try engine.failImport(parameters, from: link.id, turn)
        }
        handle(ReleaseImport.self, writes: false, outlivesCaller: true, in: &router) { parameters, link, engine, turn in
            engine.readingSteps.release(parameters.key, from: link.id, turn)
            engine.scans.release(parameters.key, from: link.id, turn)
            return Nothing()
        }
    }
}
