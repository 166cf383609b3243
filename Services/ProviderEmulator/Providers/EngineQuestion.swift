/// A question to an engine, whichever API it came by.
struct EngineQuestion: Equatable, Sendable {
    /// The model that is asked.
    let model: String
    /// The texts that it is asked about; empty for a body that is no question.
    let texts: [String]

    /// What a model would write: a mapping for a table, else nothing.
    var answer: String {
        for text in texts {
            guard let columns = (try? JSONValue(parsing: Array(text.utf8)))?["columns"] else { continue }
            return String(decoding: Self.mapping(columns.elements).rendered, as: UTF8.self)
        }
        return "{}"
    }

    /// The roles of columns whose headers are words of the dictionary; the cells say nothing to the emulator.
    private static func mapping(_ columns: [JSONValue]) -> JSONValue {
        let roles: [JSONValue] = columns.compactMap { column in
            guard let index = column["index"], let role = Self.roles[column["header"]?.text?.lowercased() ?? ""]
            else { return nil }
            return ["index": index, "role": .string(role)]
        }
        return ["columns": .array(roles)]
    }

    /// Words for columns in Icelandic, Welsh, Swahili and Esperanto, which readers of library files seldom know.
    private static let roles: [String: String] = [
        "heiti": "title", "teitl": "title", "kichwa": "title", "titolo de la libro": "title",
        "höfundur": "author", "awdur": "author", "mwandishi": "author", "aŭtoro": "author",
        "einkunn": "rating", "sgôr": "rating", "alama": "rating", "poentaro": "rating",
        "síður": "pageCount", "tudalennau": "pageCount", "kurasa": "pageCount", "paĝoj": "pageCount",
        "útgefandi": "publisher", "cyhoeddwr": "publisher", "mchapishaji": "publisher", "eldonejo": "publisher",
        "staða": "status", "statws": "status", "hali": "status", "stato de legado": "status",
    ]
}

/// How an engine is told to fail after it has been asked.
enum EngineFault: Equatable, Sendable {
    /// The model writes this text, whatever it was asked.
    case answers(String)
    /// The answer ends for this reason, for example `SAFETY` or `MAX_TOKENS`.
    case finish(reason: String)
    /// The question is held back for this reason.
    case blocked(reason: String)
    /// There is an answer without a text.
    case empty
}
