import BookMetadata
import BookstrackContract
import ProviderHTTP

/// Adds to authors what Wikidata knows about them.
struct AuthorBackgrounds: Sendable {
    /// Authors in their order, and whether everything was answered that can be.
    struct Answer: Sendable {
        var known: [AuthorDTO]
        var isComplete: Bool
    }

    let desk: ProviderDesk
    let asker: Asker

    /// What the cache knows; authors about whom Wikidata was never asked make the answer incomplete.
    func cached(_ authors: [AuthorDTO]) async -> Answer {
        let questions = authors.map { Question.author(AuthorQuery($0)) }
        let cached = await desk.cached(questions)
        let known = zip(authors, questions).map { author, question in author.adding(cached[question]?.records) }
        return Answer(known: known, isComplete: questions.allSatisfy { cached[$0] != nil })
    }

    /// What the cache or Wikidata knows; a failure makes the answer incomplete.
    func asked(_ authors: [AuthorDTO], by deadline: MonotonicInstant) async -> Answer {
        let answers = await withTaskGroup(of: (Int, ProviderRecords?).self) { group in
            for (index, author) in authors.enumerated() {
                group.addTask {
                    let question = Question.author(AuthorQuery(author))
                    return (index, try? await desk.ask(question, for: asker, deadline: deadline).records)
                }
            }
            return await group.reduce(into: [Int: ProviderRecords]()) { $0[$1.0] = $1.1 }
        }
        let known = authors.enumerated().map { index, author in author.adding(answers[index]) }
        return Answer(known: known, isComplete: answers.count == authors.count)
    }
}

extension AuthorQuery {
    fileprivate init(_ author: AuthorDTO) { self.init(name: author.name, openLibraryKey: author.openLibraryID) }
}

extension AuthorDTO {
    fileprivate func adding(_ records: ProviderRecords?) -> AuthorDTO {
        records?.background.map { adding($0) } ?? self
    }
}
