/// Splits an author cell into names in reading order.
package struct AuthorNames: Equatable, Sendable {
    /// The text between two names in a cell.
    package enum Separator: String, Sendable {
        /// The cell is one name.
        case none
        case comma
        case ampersand
        case bar
        case semicolon
        /// Determined by the shape of the cell.
        case any
    }

    /// How a name is written.
    package enum Order: String, Sendable {
        /// `Jules Verne`.
        case reading
        /// `Verne, Jules`.
        case lastFirst
        /// `Verne Jules`: the last word is the given name.
        case lastFirstWords
        /// Determined by the shape of the cell.
        case any
    }

    package let separator: Separator
    package let order: Order

    package init(separator: Separator, order: Order) {
        self.separator = separator
        self.order = order
    }

    /// The names in a cell. People with a role other than author are omitted, unless the cell names no authors.
    package func names(_ cell: String) -> [String] { CellBytes.of(cell, names) }

    func names(_ cell: CellBytes) -> [String] {
        var people = People()
        if separator == .any, cell.bytes.contains(UInt8(ascii: "\n")) {
            // One name per line.
            for line in cell.text.split(whereSeparator: \.isNewline) {
                CellBytes.of(String(line)) { add($0, to: &people) }
            }
        } else {
            add(cell, to: &people)
        }
        return people.authors.isEmpty ? people.others : people.authors
    }

    /// The people named in a cell.
    private struct People {
        var authors: [String] = []
        /// People with a role other than author.
        var others: [String] = []
    }

    private func add(_ line: CellBytes, to people: inout People) {
        let text = CellText.line(line)
        if text.isEmpty || CellText.isPlaceholder(text) { return }
        if CellBytes.of(text, isOneName) { return people.authors.append(text) }
        for part in parts(of: text) {
            let (name, isAuthor) = withoutRole(part)
            let turned = inReadingOrder(name)
            guard !turned.isEmpty else { continue }
            if isAuthor { people.authors.append(turned) } else { people.others.append(turned) }
        }
    }

    /// Whether a tidy cell is a single name that can be used unchanged.
    func isOneName(_ cell: CellBytes) -> Bool {
        order == .reading && !cell.bytes.contains(where: Self.partsNames)
    }

    /// Whether a byte may separate names or end a role; a cell without such bytes is a single name in reading order.
    private static func partsNames(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: ")"): true
        default: false
        }
    }

    // MARK: Between names

    private func parts(of text: String) -> [Substring] {
        switch separator {
        case .none: [text[...]]
        case .comma: Self.joiningSuffixes(text[...].parts(at: ","))
        case .ampersand: text.components(between: " & ")
        case .bar: text[...].parts(at: "|")
        case .semicolon: text[...].parts(at: ";")
        case .any: anyParts(of: text)
        }
    }

    private func anyParts(of text: String) -> [Substring] {
        if let items = Self.listItems(text) { return items }
        for mark: Character in ["|", ";", "、"] where text.contains(mark) { return text.split(separator: mark) }
        for word in [" & ", " and ", " und ", " et ", " y "] {
            let parts = text.components(between: word)
            guard parts.count > 1, areNames(parts, around: word) else { continue }
            return order == .lastFirst ? parts : parts.flatMap { commaParts(of: $0) }
        }
        return order == .lastFirst ? [text[...]] : commaParts(of: text[...])
    }

    /// Whether a conjunction separates names. It may also occur inside a name, as in "Ortega y Gasset", so words such as "and" only separate full
    /// names; " & " also separates single words, unless the family name is first.
    private func areNames(_ parts: [Substring], around word: String) -> Bool {
        guard order == .lastFirst else { return parts.allSatisfy { $0.contains(" ") || word == " & " } }
        // "Arts and Letters, Academy of" is one name. "David Talbott & Wallace Thornhill" are two, although neither is inverted.
        let mayBeNames = parts[0].contains(",") || word == " & " && !parts.contains { $0.contains(",") }
        return mayBeNames && parts.allSatisfy { $0.contains(" ") }
    }

    /// The names in `['Iroha Inoue', 'Kazuhiro Fujitaki']`, a list as Python prints it; nil for other text.
    private static func listItems(_ text: String) -> [Substring]? {
        guard text.hasPrefix("["), text.hasSuffix("]"), let mark = text.dropFirst().first, mark == "'" || mark == "\"",
            text.dropLast().last == mark, text.count > 4
        else { return nil }
        return text.dropFirst(2).dropLast(2).components(between: "\(mark), \(mark)")
    }

    /// Splits a string at commas between names: `Smith, Mark` and `Smith, Mark (Editor)` are one name; `Neil Gaiman, Terry Pratchett` and
    /// `Gaiman, Neil, Pratchett, Terry` are two.
    private func commaParts(of text: Substring) -> [Substring] {
        let parts = Self.joiningSuffixes(text.parts(at: ","))
        guard parts.count == 2 else { return invertedNames(parts) ?? parts }
        let (given, isAuthor) = withoutRole(parts[1])
        // `Homer, E. V. Rieu (Translator)` are two people.
        let isFullName = !isAuthor && given.contains(" ") && given.last != "."
        return !isFullName && Self.isInverted(parts[0], given) ? [text] : parts
    }

    /// The names in the parts of `Gaiman, Neil, Pratchett, Terry`; nil unless every second part is a family name. A family name of two words without
    /// a particle does not count, because in `Terry Pratchett, Moebius` the same form is a name in reading order; neither do Chinese, Japanese and
    /// Korean names, because in `莫言, 余华, 苏童, 格非` each part is a full name.
    private func invertedNames(_ parts: [Substring]) -> [Substring]? {
        guard parts.count.isMultiple(of: 2), !parts.contains(where: Self.isEastAsian) else { return nil }
        var names: [Substring] = []
        for index in stride(from: 0, to: parts.count, by: 2) {
            let (family, given) = (parts[index].trimmed, parts[index + 1])
            guard Self.isInverted(family, withoutRole(given).name),
                !family.contains(" ") || Self.beginsWithParticle(family)
            else { return nil }
            names.append(given.base[family.startIndex..<given.endIndex])
        }
        return names
    }

    /// Words that belong to a name although they follow a comma.
    private static let suffixes: Set<String> = [
        "jr", "jr.", "sr", "sr.", "ii", "iii", "iv", "md", "m.d.", "phd", "ph.d.", "esq.", "dr.", "inc.", "ltd.", "llc",
    ]

    /// Maximum length in bytes of a suffix with its spaces.
    private static let maxSuffixLength = 16

    private static func joiningSuffixes(_ parts: [Substring]) -> [Substring] {
        guard parts.count > 1 else { return parts }
        var joined: [Substring] = []
        for part in parts where joined.isEmpty || !isLifeDates(part) {
            if part.utf8.count <= maxSuffixLength, let last = joined.last,
                suffixes.contains(part.trimmed.lowercased())
            {
                joined[joined.count - 1] = last.base[last.startIndex..<part.endIndex]
            } else {
                joined.append(part)
            }
        }
        return joined
    }

    /// Whether the text after a comma is the years of a life, which library catalogs add to a name, as in `Austen, Jane, 1775-1817.`
    static func isLifeDates(_ part: Substring) -> Bool {
        // Most parts are names, for which the search ends at their first letter.
        part.allSatisfy { $0.isNumber || " -–.?".contains($0) } && part.contains(where: \.isNumber)
            && part.contains { $0 == "-" || $0 == "–" }
    }

    // MARK: Inside a name

    /// Whether brackets that contain no role belong to the name.
    private var keepsBrackets: Bool { separator == .none && order == .reading }

    /// Words that begin a family name of several words.
    private static let particles: Set<String> = [
        "le", "la", "de", "del", "della", "di", "da", "du", "des", "van", "von", "zu", "den", "der", "ter", "ten",
        "st.", "saint",
        "al", "el", "bin", "ibn", "mac", "dos", "do", "o'",
    ]

    /// Whether the parts before and after a comma are a family name and given names.
    static func isInverted(_ left: Substring, _ right: Substring) -> Bool {
        let (family, given) = (left.split(separator: " "), right.split(separator: " "))
        guard !family.isEmpty, !given.isEmpty, given.count <= 3, !left.contains("("), !right.contains("(")
        else { return false }
        if isUnspacedFullName(left.trimmed), isUnspacedFullName(right.trimmed) { return false }
        if family.count == 1 || beginsWithParticle(left) { return family.count <= 4 }
        return family.count == 2 && given.count == 1
    }

    /// Whether the text has the form of a Chinese or Japanese full name such as `村上春樹`: at least three characters, one of them Chinese, and no space.
    private static func isUnspacedFullName(_ text: Substring) -> Bool {
        text.unicodeScalars.contains { $0.properties.isIdeographic } && text.count > 2 && !text.contains(" ")
    }

    /// Whether a text has characters of Chinese, Japanese or Korean, from hiragana (U+3040) to Hangul (U+D7A3).
    private static func isEastAsian(_ text: Substring) -> Bool {
        text.unicodeScalars.contains { (0x3040...0xD7A3).contains($0.value) }
    }

    private static func beginsWithParticle(_ name: Substring) -> Bool {
        name.split(separator: " ").first.map { particles.contains($0.lowercased()) } ?? false
    }

    private func inReadingOrder(_ name: Substring) -> String {
        switch order {
        case .reading: return String(name)
        case .lastFirst: return Self.turned(name)
        case .lastFirstWords:
            guard !name.contains(","), let space = name.lastIndex(of: " ") else { return Self.turned(name) }
            return name[name.index(after: space)...] + " " + name[..<space]
        case .any:
            let parts = Self.joiningSuffixes(name.split(separator: ","))
            return parts.count == 2 && Self.isInverted(parts[0], parts[1]) ? Self.turned(name) : String(name)
        }
    }

    /// Turns an inverted name around: `Corey, James S.A.` becomes `James S.A. Corey`, and `King, Martin Luther, Jr.` becomes `Martin Luther King Jr.`
    private static func turned(_ name: Substring) -> String {
        let parts = name.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty && !isLifeDates($0) }
        guard parts.count > 1 else { return parts.first.map(String.init) ?? "" }
        let rest = parts.dropFirst(2).joined(separator: " ")
        return withoutFinalPeriod(parts[1]) + " " + parts[0] + (rest.isEmpty ? "" : " " + rest)
    }

    /// A name without the period that library catalogs put at the end of a field, as in `Herbert, Frank.` The period is kept after a last word of at
    /// most three letters or with another period, because the word may be an initial or an abbreviation.
    static func withoutFinalPeriod(_ name: Substring) -> Substring {
        guard name.last == ".", let word = name.dropLast().split(separator: " ").last else { return name }
        return word.count > 3 && !word.contains(".") ? name.dropLast() : name
    }

    /// Roles of people who did not write the book. Other text in brackets, such as a birthplace, is not a role.
    private static let contributorRoles: Set<String> = [
        "translator", "narrator", "illustrator", "foreword", "introduction", "afterword", "preface", "reader",
        "cover artist", "artist", "photographer", "adapter", "letterer", "inker", "penciller", "colorist",
        "colourist", "compiler", "cover design", "designer", "commentary", "annotator", "actor", "director",
        "producer", "composer", "performer", "contributor", "editor", "trans.", "ed.", "ill.",
        "übersetzer", "übersetzerin", "sprecher", "sprecherin", "herausgeber", "vorwort", "traducteur", "traductrice",
        "narrateur", "illustrateur", "préface", "traductor", "traductora", "narrador", "ilustrador", "prólogo",
        "traduttore", "narratore", "illustratore", "prefazione", "vertaler", "tłumacz", "переводчик", "översättare",
        "tradutor", "kääntäjä",
    ]

    /// The name without the brackets at its end, such as `(Translator)`, and whether the person is an author.
    private func withoutRole(_ part: Substring) -> (name: Substring, isAuthor: Bool) {
        let name = part.trimmed
        guard name.utf8.last == UInt8(ascii: ")"), let open = name.lastIndex(of: "(") else { return (name, true) }
        let role = String(name[name.index(after: open)...].dropLast())
        // If an application writes one name per cell, brackets without a known role are part of the name, as in `Culadasa (John Yates)`.
        if keepsBrackets, Self.isAuthor(role: role), role.lowercased() != "author" { return (name, true) }
        return (name[..<open].trimmed, Self.isAuthor(role: role))
    }

    /// Whether a role, or the first of several, is not a known contributor's. The role is from brackets after a name or from a column of roles.
    static func isAuthor(role: String) -> Bool {
        let first = role.split { $0 == "," || $0 == "/" || $0 == "&" }.first.map(\.trimmed) ?? ""
        return !contributorRoles.contains(first.lowercased())
    }
}

/// The authors of a book in order, at most as many as a row keeps. Two names that begin with the same byte are the same if they
/// differ only in case and in at most two spaces, as `J.K. Rowling` and `J. K. Rowling` do.
struct DistinctNames {
    /// Number of names up to which comparing them one by one is faster than a dictionary.
    private static let few = 16

    private(set) var names: [String] = []
    /// The same names by their letters in lower case; empty until they are first needed for a comparison.
    private var byLetters: [String: [String]] = [:]

    /// Whether no more names are added.
    var isFull: Bool { names.count >= RowLimits.words }

    mutating func add(_ more: [String]) {
        if names.isEmpty, more.count == 1 {
            names = more
        } else {
            for name in more where !isFull { add(name) }
        }
    }

    private mutating func add(_ name: String) {
        if names.count < Self.few {
            guard !names.contains(where: { Self.isSame($0, name) }) else { return }
        } else {
            if byLetters.isEmpty { byLetters = Dictionary(grouping: names, by: Self.letters) }
            let letters = Self.letters(name)
            if let similar = byLetters[letters], similar.contains(where: { $0 == name || Self.mayBeSame($0, name) }) {
                return
            }
            byLetters[letters, default: []].append(name)
        }
        names.append(name)
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        one == other || mayBeSame(one, other) && letters(one) == letters(other)
    }

    private static func mayBeSame(_ one: String, _ other: String) -> Bool {
        abs(one.utf8.count - other.utf8.count) <= 2 && one.utf8.first == other.utf8.first
    }

    private static func letters(_ name: String) -> String { name.lowercased().filter { $0 != " " } }
}

extension Substring {
    /// The text without leading and trailing spaces.
    var trimmed: Substring {
        let space = UInt8(ascii: " ")
        guard utf8.first == space || utf8.last == space else { return self }
        guard let last = utf8.lastIndex(where: { $0 != space }) else { return self[endIndex...] }
        return Substring(utf8[...last].drop { $0 == space })
    }
}

extension Substring {
    /// The parts between occurrences of a mark, without empty parts; a combining character after the mark does not hide it.
    func parts(at mark: Unicode.Scalar) -> [Substring] {
        utf8.split(separator: UInt8(ascii: mark)).map(Substring.init)
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The parts between occurrences of a separator, without empty parts; a combining character after the separator does not hide it.
    func components(between separator: String) -> [Substring] {
        var (parts, rest) = ([Substring](), self[...].utf8)
        while let range = rest.firstRange(of: separator.utf8) {
            if range.lowerBound > rest.startIndex { parts.append(Substring(rest[..<range.lowerBound])) }
            rest = rest[range.upperBound...]
        }
        if !rest.isEmpty { parts.append(Substring(rest)) }
        return parts
    }
}
