import EnrichmentWorker

/// The program `enrichment-worker`.
@main
enum EnrichmentWorkerProgram {
    static func main() async { await EnrichmentWorker.main() }
}
