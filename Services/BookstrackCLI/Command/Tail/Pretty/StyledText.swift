/// Text whose pieces look different, measured without its looks.
struct StyledText: Equatable {
    private(set) var pieces: [Piece] = []

    struct Piece: Equatable {
        var text: String
        var ink: Ink
    }

    init() {}

    init(_ text: String, _ ink: Ink = .plain) { append(text, ink) }

    /// Columns on the terminal.
    var columns: Int { pieces.reduce(0) { $0 + DisplayWidth.of($1.text) } }

    mutating func append(_ text: String, _ ink: Ink = .plain) {
        if !text.isEmpty { pieces.append(Piece(text: text, ink: ink)) }
    }

    mutating func append(_ other: StyledText) { pieces += other.pieces }

    /// Fills up with spaces to `columns`.
    mutating func pad(to columns: Int) { append(String(repeating: " ", count: max(0, columns - self.columns))) }

    /// The beginning within `columns`, with an ellipsis when it is cut.
    func cut(to columns: Int) -> StyledText {
        var rest = columns
        guard self.columns > rest else { return self }
        var cut = StyledText()
        for piece in pieces where rest > 0 {
            // What is cut off later must leave room for the ellipsis here.
            let isLast = DisplayWidth.of(piece.text) >= rest
            let kept = isLast ? DisplayWidth.fit(piece.text + " ", rest) : piece.text
            cut.append(kept, piece.ink)
            rest = isLast ? 0 : rest - DisplayWidth.of(kept)
        }
        return cut
    }

    /// As a terminal takes it.
    func text(colours: Bool) -> String {
        pieces.map { colours ? $0.ink.paint($0.text) : $0.text }.joined()
    }
}
