/// Kinds of items in catalogs that also contain films, music and games.
package enum MediaKind {
    /// Contents of a cell, after folding, that stand for something other than a book.
    private static let others: Set<String> = [
        "dvd", "blu ray", "bluray", "laserdisc", "vhs", "movie", "movies", "film", "films", "video", "music", "album",
        "vinyl", "lp",
        "record", "game", "games", "video game", "videogame", "board game", "boardgame", "tv", "tv series", "tv show",
        "toy", "puzzle",
        "artwork", "map", "article", "podcast", "musique", "jeu", "película", "juego", "musik", "spiel", "videospiel",
        "muziek",
        // Zotero's types.
        "journalarticle", "magazinearticle", "newspaperarticle", "encyclopediaarticle", "webpage", "blogpost",
        "forumpost", "conferencepaper", "videorecording", "audiorecording", "computerprogram", "tvbroadcast",
        "radiobroadcast", "presentation", "patent", "email",
    ]

    /// Whether a cell stands for a medium other than a book. An empty cell or an unknown word does not.
    package static func isOther(_ cell: String) -> Bool {
        guard !cell.isEmpty, cell.utf8.count <= 64 else { return false }
        let folded = FoldedText.fold(cell)
        if others.contains(folded) { return true }
        return folded.hasPrefix("dvd ") || folded.hasPrefix("blu ray ")
    }
}
