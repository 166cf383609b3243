import ServiceKit
import SuiteMethods

@main
enum EnrichmentWorker {
    static func main() async {
        await ServiceMain.run(.enrichmentWorker, abstract: "Looks books up at metadata providers for running jobs.") {
            context in
            [try await WorkerService(context)]
        }
    }
}
