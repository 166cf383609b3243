/// The names and codes of languages, for recognizing a language column. The cells themselves are not changed.
enum LanguageWords {
    private static let words: Set<String> = [
        "en", "eng", "english", "de", "deu", "ger", "german", "deutsch", "fr", "fra", "fre", "french", "français", "es",
        "spa",
        "spanish", "español", "castellano", "it", "ita", "italian", "italiano", "pt", "por", "portuguese", "português",
        "nl", "nld",
        "dut", "dutch", "nederlands", "pl", "pol", "polish", "polski", "ru", "rus", "russian", "русский", "uk", "ukr",
        "ukrainian",
        "українська", "sv", "swe", "swedish", "svenska", "no", "nor", "nb", "nob", "norwegian", "norsk", "da", "dan",
        "danish", "dansk",
        "fi", "fin", "finnish", "suomi", "zh", "zho", "chi", "chinese", "中文", "ja", "jpn", "japanese", "日本語", "he",
        "heb", "hebrew",
        "עברית", "ar", "ara", "arabic", "fa", "fas", "per", "persian", "farsi", "la", "lat", "latin", "el", "ell",
        "gre", "greek", "tr",
        "tur", "turkish", "türkçe", "cs", "ces", "cze", "czech", "čeština", "hu", "hun", "hungarian", "magyar", "ca",
        "cat", "catalan",
        "català", "ro", "ron", "rum", "romanian", "ko", "kor", "korean", "hi", "hin", "hindi", "englisch",
        "französisch", "anglais",
        "allemand", "inglés", "francés", "inglese", "francese", "engels", "angielski", "английский", "англійська",
        "engelska", "inglês",
    ]

    /// Whether a cell lists only languages.
    static func isLanguage(_ cell: String) -> Bool {
        guard !cell.isEmpty, cell.utf8.count <= 64 else { return false }
        let parts = cell.split { $0 == "," || $0 == ";" || $0 == "-" }
        return !parts.isEmpty && parts.allSatisfy { words.contains($0.trimmed.lowercased()) }
    }
}
