/// A language of the catalog. The raw value is the ISO 639-2/B code of Open Library's `/languages/…` keys.
enum CatalogLanguage: String, CaseIterable, Sendable {
    case arabic = "ara"
    case chinese = "chi"
    case english = "eng"
    case french = "fre"
    case german = "ger"
    case hebrew = "heb"
    case italian = "ita"
    case japanese = "jpn"
    case korean = "kor"
    case norwegian = "nor"
    case persian = "per"
    case polish = "pol"
    case portuguese = "por"
    case russian = "rus"
    case spanish = "spa"
    case swedish = "swe"
    case turkish = "tur"

    /// The code that Google Books uses: ISO 639-1, with a region for some languages, and with the old code for Hebrew.
    var twoLetterCode: String {
        switch self {
        case .arabic: "ar"
        case .chinese: "zh-CN"
        case .english: "en"
        case .french: "fr"
        case .german: "de"
        case .hebrew: "iw"
        case .italian: "it"
        case .japanese: "ja"
        case .korean: "ko"
        case .norwegian: "no"
        case .persian: "fa"
        case .polish: "pl"
        case .portuguese: "pt-BR"
        case .russian: "ru"
        case .spanish: "es"
        case .swedish: "sv"
        case .turkish: "tr"
        }
    }
}
