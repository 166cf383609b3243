package import BookstrackContract

extension AuthorDTO {
    /// The author with what Wikidata knows; what it does not know stays as it is.
    package func adding(_ background: AuthorBackground) -> AuthorDTO {
        var author = self
        if background.gender != .unknown { author.gender = background.gender }
        author.culturalRegion = background.culturalRegion ?? culturalRegion
        author.nationality = background.nationality ?? nationality
        author.birthYear = background.birthYear ?? birthYear
        author.deathYear = background.deathYear ?? deathYear
        author.goodreadsID = background.goodreadsID ?? goodreadsID
        return author
    }
}
