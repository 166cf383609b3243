import BookMetadata
import BookstrackContract
import ProviderClient

/// Adds Wikidata's facts to authors, and the number of their works in Open Library.
struct AuthorBackgrounds: Sendable {
    /// The authors in order, and the unanswered questions about them.
    struct Answer: Sendable {
        var known: [AuthorDTO]
        var missing: [Question]

        /// Whether no follow-up is needed. A missing work count alone does not justify a follow-up, because it is requested together with the facts.
        var isComplete: Bool { !missing.contains { $0.provider == .wikidata } }

        /// Whether Wikidata has answered about at least one of the authors.
        var hasAnswers: Bool { missing.count { $0.provider == .wikidata } < known.count }
    }

    let scheduler: QuestionScheduler
    let asker: Asker

    /// Adds only cached facts, and queries no provider.
    func cached(_ authors: [AuthorDTO]) async -> Answer {
        let questions = Self.questions(about: authors)
        let cached = await scheduler.cached(questions)
        return Self.answer(authors) { cached[$0]?.records }
    }

    /// Adds facts from the cache or the providers; facts whose question failed are left out.
    func asked(_ authors: [AuthorDTO], by deadline: MonotonicInstant) async -> Answer {
        let questions = Self.questions(about: authors)
        let answers = await withTaskGroup(of: (Question, ProviderRecords?).self) { group in
            for question in Set(questions) {
                group.addTask {
                    (question, try? await scheduler.ask(question, for: asker, deadline: deadline).records)
                }
            }
            return await group.reduce(into: [Question: ProviderRecords]()) { $0[$1.0] = $1.1 }
        }
        return Self.answer(authors) { answers[$0] }
    }

    private static func questions(about authors: [AuthorDTO]) -> [Question] {
        authors.flatMap { [background(of: $0)] + (worksCount(of: $0).map { [$0] } ?? []) }
    }

    private static func background(of author: AuthorDTO) -> Question {
        .author(AuthorQuery(name: author.name, openLibraryKey: author.openLibraryID))
    }

    private static func worksCount(of author: AuthorDTO) -> Question? {
        author.openLibraryID.map(Question.worksOfAuthor)
    }

    private static func answer(
        _ authors: [AuthorDTO], _ records: (Question) -> ProviderRecords?
    ) -> Answer {
        var answer = Answer(known: [], missing: [])
        for author in authors {
            let question = background(of: author)
            let found = records(question)
            var known = found?.background.map { author.adding($0) } ?? author
            if found == nil { answer.missing.append(question) }
            if let question = worksCount(of: author) {
                let counted = records(question)
                known.bookCount = counted?.bookCount ?? known.bookCount
                if counted == nil { answer.missing.append(question) }
            }
            answer.known.append(known)
        }
        return answer
    }
}
