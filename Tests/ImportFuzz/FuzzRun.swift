import TestSupport

/// A stage of reading library files, with the properties that must hold for any input. The address sanitizer also detects memory errors.
protocol FuzzStage: Sendable {
    var name: String { get }

    /// The property that a file violates; nil if it violates none.
    func fault(in file: [UInt8], using random: inout SeededGenerator) -> String?
}

/// One run over many inputs, and its summary.
struct FuzzRun {
    /// The stages, in the order in which a file passes through them.
    static let stages: [any FuzzStage] = [TableStage(), ColumnStage(), BookStage(), OwnFileStage()]

    private let options: FuzzOptions
    private var random: SeededGenerator
    private let generator = LibraryFileGenerator()
    private(set) var failures = 0

    init(_ options: FuzzOptions) {
        self.options = options
        random = SeededGenerator(seed: options.seed)
    }

    mutating func run() {
        let stages = Self.stages.filter { options.stage == nil || $0.name == options.stage }
        for _ in 0..<options.inputs {
            let (file, origin) = generator.next(&random)
            for stage in stages {
                if let fault = stage.fault(in: file, using: &random) { report(stage.name, fault, origin, file) }
            }
        }
    }

    /// The summary line.
    var account: String { "import-fuzz: \(options.inputs) inputs, seed \(options.seed): \(failures) failures" }

    private mutating func report(
        _ stage: String, _ fault: String, _ origin: LibraryFileGenerator.Origin, _ file: [UInt8]
    ) {
        failures += 1
        guard failures <= 20 else { return }
        print(
            "\(stage) (\(origin)): \(fault)\n  \(file.prefix(2_000))\n  \(String(decoding: file.prefix(2_000), as: UTF8.self))"
        )
    }
}
