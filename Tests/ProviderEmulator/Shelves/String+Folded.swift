import Foundation

extension String {
    /// The text without case, diacritics and full-width forms: what searches compare.
    var folded: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// The folded words: runs of letters and digits.
    var foldedWords: [String] {
        folded.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
