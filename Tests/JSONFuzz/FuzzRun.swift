import TestSupport

/// One run over many inputs, and its summary.
struct FuzzRun {
    private let options: FuzzOptions
    private var generator: InputGenerator
    private let views = ViewCheck()
    private let framing = FramingCheck()
    private var accepted = 0
    private var refused = 0
    private var notCompared = 0
    private(set) var disagreements = 0

    init(_ options: FuzzOptions) {
        self.options = options
        generator = InputGenerator(seed: options.seed)
    }

    mutating func run() {
        var stream: [UInt8] = []
        for _ in 0..<options.inputs {
            let (bytes, origin) = generator.next()
            switch views.check(bytes) {
            case .accepted: accepted += 1
            case .refused: refused += 1
            case .notCompared: notCompared += 1
            case .disagreement(let fault): report(fault, origin.rawValue, bytes)
            }
            stream += bytes + [UInt8(ascii: "\n")]
            if stream.count > 1_024 { checkFraming(&stream) }
        }
        checkFraming(&stream)
    }

    /// The summary line.
    var account: String {
        "json-fuzz: \(options.inputs) inputs, seed \(options.seed): \(accepted) accepted, \(refused) refused, "
            + "\(notCompared) not compared, \(disagreements) disagreements"
    }

    private mutating func checkFraming(_ stream: inout [UInt8]) {
        if let fault = framing.fault(in: stream, cutInto: generator.pieces(of: stream)) {
            report(fault, "stream", stream)
        }
        stream = []
    }

    private mutating func report(_ fault: String, _ origin: String, _ bytes: [UInt8]) {
        disagreements += 1
        guard disagreements <= 20 else { return }
        print(
            "disagreement (\(origin)): \(fault)\n  \(bytes.prefix(400))\n  \(String(decoding: bytes.prefix(400), as: UTF8.self))"
        )
    }
}
