/// Words on spines that do not help to identify the work: publishers, printings, praise, numbers and volume words.
enum SpineNoise {
    /// Words besides those in `PrintingWords`: publishers and imprints as printed on spines, praise, and ordinals of editions.
    private static let makers = Set(
        """
        oreilly reilly wiley springer verlag pearson prentice hall addison wesley mcgraw hill manning apress sams packt elsevier academic \
        birkhauser chapman crc wrox sybex cengage thomson brooks cole freeman benjamin cummings sage levant pragmatic starch \
        crown atria basic viking putnam dutton gallery henry holt fsg farrar straus giroux little allen lane profile icon century \
        transworld sceptre arbor chicago princeton yale harvard stanford columbia cornell duke mcmillan piatkus michael joseph \
        times bestseller bestselling author winner prize second third fourth fifth sixth seventh eighth ninth tenth
        """.split(separator: " ").map(String.init))

    /// Whether a folded word is in this list or in those of `PrintingWords`, or is a number or a volume word.
    static func contains(_ word: String) -> Bool {
        makers.contains(word) || PrintingWords.unfamiliar([word]).isEmpty
    }

    /// Whether two adjacent words, as printed, number a volume or an edition: "Vol. 2", "First Edition".
    static func areCount(_ word: String, _ next: String) -> Bool {
        let folded = TitleWords.folded("\(word) \(next)")
        guard folded.count == 2, folded.contains(where: { Numeral.isNumber($0) && Numeral.mayCountVolumes($0) }) else {
            return false
        }
        return folded.contains(where: Numeral.isVolumeWord) || PrintingWords.areNeutral(folded)
    }
}
