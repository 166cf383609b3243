/// What was found for one row: `enriched` in a results answer (http-api.md "Results").
public struct EnrichedMetadata: Codable, Sendable, Equatable {
    /// The work the row belongs to.
    public var work: WorkDTO
    /// The edition asked for, or the best known one when no ISBN was given.
    public var edition: EditionDTO?
    /// Authors in the work's order.
    public var authors: [AuthorDTO]

    /// Makes a result.
    public init(work: WorkDTO, edition: EditionDTO?, authors: [AuthorDTO]) {
        self.work = work
        self.edition = edition
        self.authors = authors
    }
}
