package import BookstrackContract
internal import JSON

/// Reads what an engine found in a shelf photo (scans.md "Engines"). Engines are not trusted: strings, boxes and numbers are limited to valid values,
/// and entries that have no title, no text and no ISBN are skipped.
package enum ShelfAnswer {
    /// Maximum number of books read from a photo.
    package static let maxBooks = 100
    /// Maximum length of a string. The limit also bounds the bytes, because a character may have any number of combining marks.
    private static let textLimit = TextLimit(characters: 500)
    /// Maximum length of an ISBN, in characters.
    private static let maxNumberLength = 32

    /// The spines in a complete answer; nil for a string that is not an answer.
    ///
    /// - Parameter barcodes: Whether the engine reads ISBNs only from barcodes, as the suite's own shelf reader does.
    package static func read(_ answer: EngineAnswer, barcodes: Bool = false) -> [DetectedSpine]? {
        guard let root = (try? JSONDocument(answer.json.utf8))?.root else { return nil }
        let list = root.isObject ? root["books"] : root
        guard let list, list.isArray else { return nil }
        return list.elements.prefix(maxBooks).compactMap { spine($0, barcodes: barcodes) }
    }

    /// The spines in the complete entries of an answer that was cut off.
    package static func read(cutOff text: String) -> [DetectedSpine] {
        var entries: [DetectedSpine] = []
        for entry in completeEntries(Array(text.utf8)) where entries.count < maxBooks {
            if let root = (try? JSONDocument(entry))?.root, let spine = spine(root, barcodes: false) {
                entries.append(spine)
            }
        }
        return entries
    }

    private static func spine(_ entry: JSONNode, barcodes: Bool) -> DetectedSpine? {
        let (text, title) = (lines(entry["text"]), words(entry["title"]))
        let isbn = words(entry["isbn"]).map { String($0.prefix(maxNumberLength)) }
        guard text != nil || title != nil || isbn != nil else { return nil }
        let confidence = entry["confidence"].flatMap(number) ?? 0
        return DetectedSpine(
            text: text, title: title, author: words(entry["author"]), isbn: isbn,
            isBarcode: barcodes && isbn != nil, box: box(entry), confidence: min(max(confidence, 0), 1))
    }

    /// The position of a spine: `box_2d` as written by models, otherwise `box` as written by the suite's own shelf reader; the whole photo if there
    /// is neither.
    private static func box(_ entry: JSONNode) -> BoundingBox {
        let model = entry["box_2d"]?.elements.compactMap(number) ?? []
        if model.count == 4 {
            return BoundingBox(
                x1: model[1] / 1_000, y1: model[0] / 1_000, x2: model[3] / 1_000, y2: model[2] / 1_000)
        }
        guard let box = entry["box"], let x1 = box["x1"].flatMap(number), let y1 = box["y1"].flatMap(number),
            let x2 = box["x2"].flatMap(number), let y2 = box["y2"].flatMap(number)
        else { return .whole }
        return BoundingBox(x1: x1, y1: y1, x2: x2, y2: y2)
    }

    private static func number(_ node: JSONNode) -> Double? {
        node.number.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }

    /// A string as a single line of visible characters, cut to ``textLimit``; nil if nothing is left.
    private static func words(_ node: JSONNode?) -> String? {
        node?.string.flatMap { words($0.unicodeScalars.prefix(textLimit.bytes)) }
    }

    private static func words(_ text: some Sequence<Unicode.Scalar>) -> String? {
        let visible = text.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
                Character(" ")
            default: Character(scalar)
            }
        }
        let line = String(visible).split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        let words = textLimit.fit(line)
        return words.isEmpty ? nil : words
    }

    /// The lines of a string, each as returned by ``words(_:)``; nil if nothing is left.
    private static func lines(_ node: JSONNode?) -> String? {
        guard let text = node?.string else { return nil }
        let lines = text.unicodeScalars.prefix(textLimit.bytes).split(separator: "\n").compactMap { words($0) }
        return lines.isEmpty ? nil : textLimit.fit(lines.joined(separator: "\n"))
    }

    /// The complete objects and lists in the first list of a string that may end anywhere.
    private static func completeEntries(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        guard let list = text.firstIndex(of: UInt8(ascii: "[")) else { return [] }
        var entries: [ArraySlice<UInt8>] = []
        var (depth, start, isText, isEscaped) = (0, 0, false, false)
        for index in text.indices[list...].dropFirst() {
            switch text[index] {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isText: isEscaped = true
            case UInt8(ascii: "\""): isText.toggle()
            case _ where isText: continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if depth == 0 { start = index }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth < 0 { return entries }
                if depth == 0 { entries.append(text[start...index]) }
            default: continue
            }
        }
        return entries
    }
}
