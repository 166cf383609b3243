/// The `data` of `GET /v1/jobs/{jobId}/insights`: what the books of a job have in common (metadata.md "Insights").
public struct JobInsights: Codable, Sendable, Equatable {
    /// A value and how often it occurs.
    public struct Entry: Codable, Sendable, Equatable {
        /// The value as in the results; a decade is given as its first year, such as `1990`.
        public var value: String
        /// Number of books or authors with this value.
        public var count: Int

        /// Creates an entry.
        public init(value: String, count: Int) {
            self.value = value
            self.count = count
        }
    }

    /// Distribution of one attribute.
    public struct Distribution: Codable, Sendable, Equatable {
        /// Number of books or authors that were counted.
        public var total: Int
        /// Number of counted books or authors without a known value.
        public var unknown: Int
        /// The value of `unknown` as a fraction of `total`, from 0 to 1; 0 if `total` is 0.
        public var unknownShare: Double
        /// The values, most frequent first. A book with several genres counts for each of them.
        public var values: [Entry]

        /// Creates a distribution from counts by value.
        public init(total: Int, unknown: Int, counts: [String: Int]) {
            self.total = total
            self.unknown = unknown
            unknownShare = total == 0 ? 0 : Double(unknown) / Double(total)
            values = counts.map { Entry(value: $0.key, count: $0.value) }
                .sorted { ($1.count, $0.value) < ($0.count, $1.value) }
        }
    }

    /// Identifier of the job; for an import, of the job that looked up its books.
    public var jobId: JobID
    /// Revision of the results that were evaluated.
    public var resultsRevision: Int
    /// Number of books in the job.
    public var books: Int
    /// Number of books with a result, which are counted by decade, language and genre.
    public var found: Int
    /// Number of distinct authors of the books with a result, who are counted by gender, region and nationality.
    public var authors: Int
    /// Genders of the authors.
    public var gender: Distribution
    /// Cultural regions of the authors.
    public var culturalRegion: Distribution
    /// Nationalities of the authors.
    public var nationality: Distribution
    /// Decades of first publication or, if it is unknown, of the edition's publication.
    public var decade: Distribution
    /// Languages of the editions, otherwise of the works, as ISO 639-1 codes.
    public var language: Distribution
    /// Canonical genres of the works.
    public var genre: Distribution

    /// Creates insights.
    public init(
        jobId: JobID, resultsRevision: Int, books: Int, found: Int, authors: Int, gender: Distribution,
        culturalRegion: Distribution, nationality: Distribution, decade: Distribution, language: Distribution,
        genre: Distribution
    ) {
        self.jobId = jobId
        self.resultsRevision = resultsRevision
        self.books = books
        self.found = found
        self.authors = authors
        self.gender = gender
        self.culturalRegion = culturalRegion
        self.nationality = nationality
        self.decade = decade
        self.language = language
        self.genre = genre
    }
}
