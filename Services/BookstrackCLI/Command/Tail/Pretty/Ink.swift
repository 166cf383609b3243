/// How a piece of text looks on a terminal with colours.
enum Ink: Int, CaseIterable {
    case plain = 0
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
    case magenta = 35
    case cyan = 36

    /// The text between the sequences that begin and end the look (ECMA-48, SGR).
    func paint(_ text: String) -> String {
        self == .plain || text.isEmpty ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}
