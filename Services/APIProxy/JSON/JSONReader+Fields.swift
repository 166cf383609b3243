import BookstrackContract

extension JSONReader {
    /// Reads a string of at most `limit` characters (`TextLimit`); null counts as absent.
    mutating func readText(at place: String, limit: Int) throws -> String? {
        let text = try readText(at: place)
        if let text, let excess = TextLimit(characters: limit).excess(of: text) {
            throw APIFailure.invalid(place, excess)
        }
        return text
    }

    /// Reads a string of any length; null counts as absent.
    private mutating func readText(at place: String) throws -> String? {
        switch try peek() {
        case .null:
            try skipValue()
            return nil
        case .string: break
        default: throw APIFailure.invalid(place, "must be a string")
        }
        return try readString()
    }

    /// Reads a string that must be there.
    mutating func readRequiredText(at place: String, limit: Int) throws -> String {
        guard let text = try readText(at: place, limit: limit) else {
            throw APIFailure.invalid(place, "must be a string")
        }
        return text
    }

    /// Reads a job's identifier of at least `shortest` characters; null counts as absent.
    mutating func readJobID(at place: String, shortest: Int = JobID.shortest) throws -> JobID? {
        guard let text = try readText(at: place) else { return nil }
        guard let id = JobID(text), text.utf8.count >= shortest else {
            throw APIFailure.invalid(place, JobID.rule(shortest: shortest))
        }
        return id
    }
}
