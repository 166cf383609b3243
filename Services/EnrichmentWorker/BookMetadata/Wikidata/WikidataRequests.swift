/// Paths and queries for Wikidata's API, relative to `https://www.wikidata.org` (https://www.wikidata.org/w/api.php).
///
/// They do not include `maxlag`, which the API etiquette requests for batch jobs, because users are waiting for some of these facts. Nor do they
/// include `origin`, which is for browsers.
package enum WikidataRequests {
    /// Maximum number of items in one request (the API's limit for clients without special permissions).
    package static let batchSize = 50

    /// Maximum number of candidates for one name.
    private static let searchLimit = 10

    /// Languages whose labels and aliases are compared with the requested name; `mul` contains names that are spelled the same in every language.
    private static let languages = [
        "en", "mul", "de", "fr", "es", "it", "pt", "nl", "sv", "pl", "cs", "tr", "ru", "uk", "el", "he", "ar", "fa",
        "hi", "ja", "zh", "ko",
    ]

    /// The path and query for items with a label or alias that begins with the credited name. An inverted name is put in reading order.
    package static func search(_ credit: String) -> String {
        let name = AuthorCell(credit).first ?? credit
        return query([
            ("action", "wbsearchentities"), ("search", name), ("language", searchLanguage(of: name)),
            ("uselang", "en"), ("type", "item"), ("limit", String(searchLimit)),
        ])
    }

    /// The path and query for the names and statements of up to `batchSize` items.
    ///
    /// Statements cannot be filtered: a well-known author's statements take up to 300 KB, most authors' less than 50 KB.
    package static func entities(_ ids: [String]) -> String {
        query([
            ("action", "wbgetentities"), ("ids", ids.joined(separator: "|")),
            ("props", "labels|aliases|claims"), ("languages", languages.joined(separator: "|")),
        ])
    }

    private static func query(_ parameters: [(String, String)]) -> String {
        "/w/api.php" + PercentEncoding.query(parameters + [("format", "json")])
    }

    /// The language in which a name is looked up; the search covers the labels in one language and its fallback languages.
    private static func searchLanguage(of name: String) -> String {
        for scalar in name.unicodeScalars {
            switch scalar.value {
            case 0x370...0x3FF: return "el"
            case 0x400...0x52F: return "ru"
            case 0x590...0x5FF: return "he"
            case 0x600...0x6FF: return "ar"
            case 0x900...0x97F: return "hi"
            case 0x1100...0x11FF, 0xAC00...0xD7AF: return "ko"
            case 0x3040...0x30FF: return "ja"
            case 0x4E00...0x9FFF: return name.unicodeScalars.contains { (0x3040...0x30FF) ~= $0.value } ? "ja" : "zh"
            default: continue
            }
        }
        return "en"
    }
}
