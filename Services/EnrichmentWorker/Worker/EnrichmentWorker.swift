import ServiceKit
import SuiteMethods

/// The service that asks metadata providers (Services/README.md).
package enum EnrichmentWorker {
    /// Runs the service until a signal ends it.
    package static func main() async {
        await ServiceMain.run(.enrichmentWorker, abstract: "Looks books up at metadata providers for running jobs.") {
            context in
            [try await WorkerService(context)]
        }
    }
}
