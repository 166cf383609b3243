import TestSupport

/// Generates tables, lists and JSON, valid and damaged, in several encodings, and noise.
struct LibraryFileGenerator {
    /// How a file was generated.
    enum Origin: CaseIterable {
        case library, mutatedLibrary, table, mutatedTable, tokens, list, json, mutatedJSON, utf16, codePage, mojibake,
            bytes
    }

    private static let words = [
        "Title", "Author", "ISBN", "Emma", "Jane Austen", "The Lion, the Witch", "\"Repent\"", "8\"", "9780141439587",
        "=\"0439708184\"", "2021/03/04", "to-read", "#1", "(Dune, #2)", "'Tis", "é", "Война и мир", "BrochÃ©", "📚",
        " by ",
    ]
    private static let tokens = [
        "\"", "\"\"", ",", ";", "\t", "|", "\n", "\r\n", "\r", " ", "a", "bc", "#", "'", "sep=;", "<<<<<<< x",
        "=======", "\0",
        "é", "\u{FFFD}", "{", "[", "\u{FEFF}",
    ]

    func next(_ random: inout SeededGenerator) -> (file: [UInt8], origin: Origin) {
        let origin = Origin.allCases.randomElement(using: &random) ?? .bytes
        switch origin {
        case .library: return (Array(LibraryWriter.text(&random).utf8), origin)
        case .mutatedLibrary: return (mutated(Array(LibraryWriter.text(&random).utf8), &random), origin)
        case .table: return (Array(table(&random).utf8), origin)
        case .mutatedTable: return (mutated(Array(table(&random).utf8), &random), origin)
        case .tokens: return (Array(soup(&random).utf8), origin)
        case .list: return (Array(list(&random).utf8), origin)
        case .json: return (Array(json(&random, depth: 0).utf8), origin)
        case .mutatedJSON: return (mutated(Array(json(&random, depth: 0).utf8), &random), origin)
        case .utf16:
            let units = Array((Bool.random(using: &random) ? "\u{FEFF}" : "").utf16) + Array(table(&random).utf16)
            let isBigEndian = Bool.random(using: &random)
            let bytes = units.flatMap {
                isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)]
            }
            return (pick(3, &random) == 0 ? mutated(bytes, &random) : bytes, origin)
        case .codePage:
            return (table(&random).unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }, origin)
        case .mojibake:
            let latin = table(&random).utf8.map { Unicode.Scalar($0) }
            return (Array(String(String.UnicodeScalarView(latin)).utf8), origin)
        case .bytes: return ((0..<pick(200, &random)).map { _ in UInt8.random(in: 0...255, using: &random) }, origin)
        }
    }

    private func table(_ random: inout SeededGenerator) -> String {
        let delimiter = [",", ";", "\t", "|"].randomElement(using: &random) ?? ","
        let lineEnd = ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n"
        let width = 1 + pick(7, &random)
        return (0...pick(8, &random)).map { _ in
            (0..<(pick(12, &random) == 0 ? pick(9, &random) : width)).map { _ in
                let cell = RandomText.text(of: Self.words, longest: 3, using: &random)
                return pick(8, &random) == 0
                    ? cell : "\"" + cell.split(separator: "\"").joined(separator: "\"\"") + "\""
            }.joined(separator: delimiter)
        }.joined(separator: lineEnd)
    }

    private func soup(_ random: inout SeededGenerator) -> String {
        (0..<pick(60, &random)).map { _ in Self.tokens.randomElement(using: &random) ?? "" }.joined()
    }

    private func list(_ random: inout SeededGenerator) -> String {
        (0...pick(10, &random)).map { _ in RandomText.text(of: Self.words, longest: 5, using: &random) }.joined(
            separator: "\n")
    }

    private func json(_ random: inout SeededGenerator, depth: Int) -> String {
        switch depth == 0 ? pick(2, &random) : pick(depth > 4 ? 4 : 6, &random) {
        case 0:
            let members = (0..<pick(5, &random)).map { _ in
                "\"\(["title", "0", "isbn", "a"].randomElement(using: &random) ?? "a")\": \(json(&random, depth: depth + 1))"
            }
            return "{" + members.joined(separator: ",\n") + "}"
        case 1:
            return "[" + (0..<pick(4, &random)).map { _ in json(&random, depth: depth + 1) }.joined(separator: ", ")
                + "]"
        case 2: return String(Int.random(in: -5...2_000, using: &random))
        case 3: return ["true", "null", "4.5e1"].randomElement(using: &random) ?? "null"
        default: return "\"" + RandomText.letters(using: &random) + "\\u00e9\""
        }
    }

    private func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0...pick(4, &random) where !bytes.isEmpty {
            let place = pick(bytes.count, &random)
            switch pick(6, &random) {
            case 0: bytes[place] ^= 1 << UInt8(pick(8, &random))
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(UInt8(ascii: "\""), at: place)
            case 3: bytes.removeLast(bytes.count - place)
            case 4:
                bytes.insert(
                    contentsOf: Array(bytes[place..<min(bytes.count, place + 30)]), at: pick(bytes.count, &random))
            default: bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return bytes
    }

    private func pick(_ bound: Int, _ random: inout SeededGenerator) -> Int {
        Int.random(in: 0..<max(1, bound), using: &random)
    }
}
