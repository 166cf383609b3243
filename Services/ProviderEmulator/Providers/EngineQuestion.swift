/// A prompt for an engine, received through Gemini's API or the OpenAI-compatible one.
struct EngineQuestion: Equatable, Sendable {
    /// Name of the requested model.
    let model: String
    /// The strings of the prompt; empty if the body is not a valid request.
    let texts: [String]
    /// The photo in the prompt, in base64 or as a data URL; empty if there is none.
    var photo = ""

    /// The model's output: the books in ``shelf`` for a photo, a mapping for a table, otherwise an empty object.
    var answer: String {
        if !photo.isEmpty { return Self.shelf }
        for text in texts {
            guard let columns = (try? JSONValue(parsing: Array(text.utf8)))?["columns"] else { continue }
            return String(decoding: Self.mapping(columns.elements).rendered, as: UTF8.self)
        }
        return "{}"
    }

    /// The model's result for every photo, since the emulator does not examine photos. `deploy/sample/shelf.png` shows these books in these
    /// positions.
    static let shelf = """
        {"books":[\
        {"title":"The Great Gatsby","author":"F. Scott Fitzgerald","isbn":"","box_2d":[140,110,900,330],"confidence":0.95},\
        {"title":"Jane Eyre","author":"Charlotte Brontë","isbn":"","box_2d":[90,345,900,580],"confidence":0.9},\
        {"title":"A Tale of Two Cities","author":"Charles Dickens","isbn":"","box_2d":[170,595,900,880],"confidence":0.5}]}
        """

    /// The roles of columns whose headers are in the dictionary; the emulator ignores the cells.
    private static func mapping(_ columns: [JSONValue]) -> JSONValue {
        let roles: [JSONValue] = columns.compactMap { column in
            guard let index = column["index"], let role = Self.roles[column["header"]?.text?.lowercased() ?? ""]
            else { return nil }
            return ["index": index, "role": .string(role)]
        }
        return ["columns": .array(roles)]
    }

    /// Headers in Icelandic, Welsh, Swahili and Esperanto, which the import does not recognize by itself.
    private static let roles: [String: String] = [
        "heiti": "title", "teitl": "title", "kichwa": "title", "titolo de la libro": "title",
        "höfundur": "author", "awdur": "author", "mwandishi": "author", "aŭtoro": "author",
        "einkunn": "rating", "sgôr": "rating", "alama": "rating", "poentaro": "rating",
        "síður": "pageCount", "tudalennau": "pageCount", "kurasa": "pageCount", "paĝoj": "pageCount",
        "útgefandi": "publisher", "cyhoeddwr": "publisher", "mchapishaji": "publisher", "eldonejo": "publisher",
        "staða": "status", "statws": "status", "hali": "status", "stato de legado": "status",
    ]
}

/// A faulty response from an engine.
enum EngineFault: Equatable, Sendable {
    /// The model answers with this text, whatever the prompt is.
    case answers(String)
    /// The response ends for this reason, for example `SAFETY` or `MAX_TOKENS`.
    case finish(reason: String)
    /// The prompt is blocked for this reason.
    case blocked(reason: String)
    /// The response contains no text.
    case empty
}
