import TestSupport

/// Generates valid frames and values, almost valid ones, deep nesting, and noise.
struct InputGenerator {
    /// How an input was generated.
    enum Origin: String, CaseIterable {
        case frame, mutatedFrame, value, mutatedValue, tokens, bytes, nesting
    }

    private var random: SeededGenerator
    private var grammar = JSONGrammar()

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func next() -> (bytes: [UInt8], origin: Origin) {
        let origin = Origin.allCases[pick(Origin.allCases.count)]
        switch origin {
        case .frame: return (grammar.frame(&random), origin)
        case .mutatedFrame: return (mutated(grammar.frame(&random)), origin)
        case .value: return (grammar.value(&random, depth: 0), origin)
        case .mutatedValue: return (mutated(grammar.value(&random, depth: 0)), origin)
        case .tokens: return (grammar.tokens(&random), origin)
        case .bytes: return ((0..<pick(64)).map { _ in UInt8.random(in: 0...255, using: &random) }, origin)
        case .nesting: return (grammar.nesting(&random), origin)
        }
    }

    /// Cuts a stream at random positions.
    mutating func pieces(of stream: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let length = 1 + pick(rest.count)
            pieces.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return pieces
    }

    private mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...pick(3) where !bytes.isEmpty {
            let place = pick(bytes.count)
            switch pick(6) {
            case 0: bytes[place] ^= 1 << UInt8(pick(8))
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(grammar.hostileByte(&random), at: place)
            case 3: bytes.removeLast(bytes.count - place)
            case 4: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + pick(12))], at: pick(bytes.count))
            default: bytes[place] = grammar.hostileByte(&random)
            }
        }
        return bytes
    }

    private mutating func pick(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
}
