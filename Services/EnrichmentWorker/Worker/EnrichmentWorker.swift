import ServiceKit

@main
enum EnrichmentWorker {
    static func main() async {
        await ServiceMain.run("enrichment-worker", abstract: "Looks books up at metadata providers for running jobs.") {
            context in
            [try await WorkerService(context)]
        }
    }
}
