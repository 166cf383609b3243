import ArgumentParser

/// Benchmarks print figures; a figure that misses its target is not a failure.
@main
struct BenchmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookstrack-bench",
        abstract: "Measures BooksTrack on this machine and prints each figure next to its target.",
        subcommands: [
            RoundTripBenchmark.self, RecordingBenchmark.self, DeliveryBenchmark.self, StartBenchmark.self,
            FramesBenchmark.self, PeersBenchmark.self, BulkBenchmark.self, ManyJobsBenchmark.self,
            PoliteBulkBenchmark.self,
            IdleSocketsBenchmark.self, MemoryBenchmark.self,
            GrowthBenchmark.self, PollingBenchmark.self, GzipBenchmark.self,
            SearchBenchmark.self, NormalizationBenchmark.self, ImportBenchmark.self, ScanUploadBenchmark.self,
            ScrapeBenchmark.self,
            TailBenchmark.self,
            StopBenchmark.self, ConnectsBenchmark.self, ResultsBenchmark.self, ReadResultsCommand.self,
            LegacySocketsBenchmark.self, ScaleBenchmark.self,
        ])
}
