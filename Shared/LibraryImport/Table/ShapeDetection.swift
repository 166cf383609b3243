/// Determines a text's delimiter, quote and line end from its first 64 KiB.
///
/// The possible combinations of delimiter and quote are tried. The one with the highest ``Trial/score`` is used, which favors rows of equal width and
/// cells that look like values.
struct ShapeDetection {
    static let sampleSize = 64 << 10
    static let delimiters = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
    private static let quotes: [UInt8?] = [UInt8(ascii: "\""), UInt8(ascii: "'"), nil]
    /// Maximum number of records to read.
    static let records = 1_000
    /// Maximum number of rows before the table.
    static let maxNotes = 30
    /// Minimum score for a delimiter that the file does not declare; below it, the lines are a list, or each line is inside one quoted cell.
    private static let minScore = 0.15

    /// The sample. An incomplete last line is removed, unless it is the only line.
    private let sample: [UInt8]
    private let isWhole: Bool
    private let limits: TableLimits
    private let lineEnd: TableShape.LineEnd
    /// The delimiter that a first line such as `sep=;` specifies; nil if there is none.
    private let declared: UInt8?

    /// - Parameter isWhole: Whether the sample is the whole text.
    init(_ sample: [UInt8], isWhole: Bool, limits: TableLimits) {
        lineEnd = Self.lineEnd(of: sample)
        let last = lineEnd == .cr ? RecordScanner.carriageReturn : RecordScanner.lineFeed
        let end = isWhole ? nil : sample.lastIndex(of: last).map { $0 + 1 }
        self.sample = Array(sample[..<(end ?? sample.count)])
        self.isWhole = isWhole
        self.limits = limits
        declared = Self.declaredDelimiter(self.sample)
    }

    /// The shape, without the encoding.
    var shape: TableShape {
        // The lines of clippings may have as many commas as the rows of a table, so clippings are recognized first.
        if sample.firstRange(of: LineList.endOfClipping.utf8) != nil, LineList.areClippings(lines) { return list() }
        var best: Trial?
        for delimiter in declared.map({ [$0] }) ?? Self.delimiters {
            for quote in Self.quotes where quote == nil || sample.contains(quote ?? 0) || quote == UInt8(ascii: "\"") {
                let trial = Trial(base(delimiter, quote), sample, isWhole: isWhole, limits)
                // A later combination must be clearly better.
                if trial.score > (best?.score ?? 0) * 1.02 { best = trial }
            }
        }
        let outer = Trial(base(Self.delimiters[0], Self.quotes[0]), sample, isWhole: isWhole, limits)
        // Lines that each consist of one quoted cell look regular if their quotes are treated as text.
        let isMisread = outer.isQuotedThroughout && outer.isWrapped && best?.shape.quote != Self.quotes[0]
        if let best, best.score >= Self.minScore || declared != nil, !isMisread { return delimited(best) }
        if let inner = unwrapped(outer) { return inner }
        return list()
    }

    private func base(_ delimiter: UInt8?, _ quote: UInt8?) -> TableShape {
        var shape = TableShape()
        shape.delimiter = delimiter
        shape.quote = quote
        shape.lineEnd = lineEnd
        return shape
    }

    private func delimited(_ trial: Trial) -> TableShape {
        var shape = trial.shape
        shape.width = trial.width
        shape.skippedLeadingLines = trial.linesBeforeTable(declared == nil ? 0 : 1)
        return shape
    }

    /// The shape of a file in which most lines are entirely inside one quoted cell; nil for other files.
    private func unwrapped(_ outer: Trial) -> TableShape? {
        guard outer.isWrapped else { return nil }
        let inner = ShapeDetection(
            Array(outer.wrappedRecords.joined(separator: [RecordScanner.lineFeed])), isWhole: true, limits: limits
        ).shape
        guard inner.kind == .delimited, inner.width > 1, !inner.isWrapped else { return nil }
        var shape = inner
        shape.lineEnd = lineEnd
        shape.quote = Self.quotes[0]
        shape.isWrapped = true
        shape.skippedLeadingLines = 0
        return shape
    }

    private func list() -> TableShape {
        let quoted = Trial(base(nil, Self.quotes[0]), sample, isWhole: isWhole, limits)
        var shape = base(nil, quoted.isQuotedThroughout ? Self.quotes[0] : nil)
        shape.kind = LineList.kind(of: lines)
        return shape
    }

    /// The first lines of the sample that are not empty.
    private var lines: [Substring] {
        Array(String(decoding: sample, as: UTF8.self).split(whereSeparator: \.isNewline).prefix(Self.records))
    }

    /// The most common kind of line end outside potentially quoted text. Multi-line cells contain line feeds even if the file's lines end
    /// differently.
    private static func lineEnd(of sample: [UInt8]) -> TableShape.LineEnd {
        var (feeds, pairs, returns) = (0, 0, 0)
        var isQuoted = false
        for (index, byte) in sample.enumerated() {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case RecordScanner.lineFeed where !isQuoted:
                if index > 0, sample[index - 1] == RecordScanner.carriageReturn { pairs += 1 } else { feeds += 1 }
            case RecordScanner.carriageReturn where !isQuoted:
                if index + 1 == sample.count || sample[index + 1] != RecordScanner.lineFeed { returns += 1 }
            default: break
            }
        }
        if returns > feeds + pairs { return .cr }
        return pairs > feeds ? .crlf : .lf
    }

    /// The delimiter specified by a first line such as `sep=;`, as interpreted by Excel.
    private static func declaredDelimiter(_ sample: [UInt8]) -> UInt8? {
        let line = sample.prefix(16).prefix { $0 != RecordScanner.lineFeed && $0 != RecordScanner.carriageReturn }
        let name = line.filter { $0 != UInt8(ascii: "\"") }
        guard name.count == 5, String(decoding: name.prefix(4), as: UTF8.self).lowercased() == "sep=" else {
            return nil
        }
        return name.last
    }
}
