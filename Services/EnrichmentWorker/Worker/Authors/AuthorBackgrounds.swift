import BookMetadata
import BookstrackContract
import ProviderHTTP

/// Adds to authors what Wikidata knows about them.
struct AuthorBackgrounds: Sendable {
    /// Authors in their order, and the questions about them that have no answer.
    struct Answer: Sendable {
        var known: [AuthorDTO]
        var missing: [Question]

        var isComplete: Bool { missing.isEmpty }
    }

    let desk: ProviderDesk
    let asker: Asker

    /// What the cache knows; about others Wikidata was never asked.
    func cached(_ authors: [AuthorDTO]) async -> Answer {
        let questions = Self.questions(about: authors)
        let cached = await desk.cached(questions)
        return Self.answer(authors, questions) { cached[$0]?.records }
    }

    /// What the cache or Wikidata knows; about others the question failed.
    func asked(_ authors: [AuthorDTO], by deadline: MonotonicInstant) async -> Answer {
        let questions = Self.questions(about: authors)
        let answers = await withTaskGroup(of: (Question, ProviderRecords?).self) { group in
            for question in Set(questions) {
                group.addTask {
                    (question, try? await desk.ask(question, for: asker, deadline: deadline).records)
                }
            }
            return await group.reduce(into: [Question: ProviderRecords]()) { $0[$1.0] = $1.1 }
        }
        return Self.answer(authors, questions) { answers[$0] }
    }

    private static func questions(about authors: [AuthorDTO]) -> [Question] {
        authors.map { .author(AuthorQuery(name: $0.name, openLibraryKey: $0.openLibraryID)) }
    }

    private static func answer(
        _ authors: [AuthorDTO], _ questions: [Question], _ records: (Question) -> ProviderRecords?
    ) -> Answer {
        var answer = Answer(known: [], missing: [])
        for (author, question) in zip(authors, questions) {
            let found = records(question)
            answer.known.append(found?.background.map { author.adding($0) } ?? author)
            if found == nil { answer.missing.append(question) }
        }
        return answer
    }
}
