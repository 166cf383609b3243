import ImageFiles
import TestSupport

/// Checks with damaged and invented image files that no input causes a crash, and that the removal of metadata keeps a
/// file's header and leaves nothing for a second removal.
struct FuzzRun {
    private let options: FuzzOptions
    private var random: SeededGenerator
    private let samples = SampleImage.allCases.map(\.file)
    private(set) var failures = 0
    private var understood = 0

    init(_ options: FuzzOptions) {
        self.options = options
        random = SeededGenerator(seed: options.seed)
    }

    mutating func run() {
        for _ in 0..<options.inputs {
            let file = next()
            guard let fault = fault(in: file) else { continue }
            failures += 1
            if failures <= 20 { print("\(fault)\n  \(file)") }
        }
    }

    /// The summary line.
    var account: String {
        "image-fuzz: \(options.inputs) inputs, \(understood) understood, seed \(options.seed): \(failures) failures"
    }

    private mutating func fault(in file: [UInt8]) -> String? {
        let header = try? ImageHeader(file)
        if header == nil, (try? ImageMetadata.removal(from: file)) != nil {
            return "metadata removed from a file without a header"
        }
        guard let header, let pieces = try? ImageMetadata.removal(from: file) else { return nil }
        understood += 1
        for case .kept(let range) in pieces where range.upperBound > file.count { return "a piece beyond the end" }
        let cleaned = pieces.joined(from: file)
        if cleaned.count > file.count + 64 { return "\(cleaned.count) bytes of \(file.count)" }
        guard let cleanedHeader = try? ImageHeader(cleaned) else { return "a cleaned file without a header" }
        if cleanedHeader != header { return "\(cleanedHeader) was \(header)" }
        guard let again = try? ImageMetadata.removal(from: cleaned) else {
            return "a cleaned file that cannot be cleaned"
        }
        return again.joined(from: cleaned) == cleaned ? nil : "a cleaned file that changes when it is cleaned again"
    }

    /// A sample with changed, missing, repeated or overwritten bytes, a truncated end or an emptied box; or noise after a signature.
    private mutating func next() -> [UInt8] {
        guard var file = samples.randomElement(using: &random) else { return [] }
        if Int.random(in: 0..<20, using: &random) == 0 {
            return file.prefix(16)
                + (0..<Int.random(in: 0..<300, using: &random)).map { _ in .random(in: 0...255, using: &random) }
        }
        for _ in 0..<Int.random(in: 1...6, using: &random) where !file.isEmpty {
            let place = Int.random(in: 0..<file.count, using: &random)
            let end = min(file.count, place + Int.random(in: 0..<24, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: file[place] = .random(in: 0...255, using: &random)
            case 1: file[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            case 2: file[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 3: file.removeSubrange(place..<end)
            case 4: file.insert(contentsOf: file[place..<end], at: Int.random(in: 0...file.count, using: &random))
            case 5: emptyBox(in: &file)
            case 6: file.removeLast(Int.random(in: 0..<file.count, using: &random) / 4)
            default:
                file[place..<end] = ArraySlice(
                    repeatElement([0, 0xFF].randomElement(using: &random) ?? 0, count: end - place))
            }
        }
        return file
    }

    /// Empties a box of a HEIF file and turns its contents into a `free` box, so the other boxes' lengths stay valid.
    private mutating func emptyBox(in file: inout [UInt8]) {
        let boxes = file.indices.dropLast(16).filter { place in
            file[place..<(place + 3)].allSatisfy { $0 == 0 } && file[place + 3] >= 16
                && file[(place + 4)..<(place + 8)].allSatisfy { (0x61...0x7A).contains($0) }
        }
        guard let place = boxes.randomElement(using: &random) else { return }
        file.replaceSubrange((place + 8)..<(place + 16), with: [0, 0, 0, file[place + 3] - 8] + Array("free".utf8))
        file[place + 3] = 8
    }
}
