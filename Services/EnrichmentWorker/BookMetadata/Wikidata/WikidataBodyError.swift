/// Why the body of an answer of Wikidata could not be used.
package enum WikidataBodyError: Error, Hashable, Sendable {
    /// Not the JSON document that was asked for.
    case malformed
    /// The servers lag behind or the caller asked too often (`maxlag`, `ratelimited`); a later call may succeed.
    case busy
    /// The API answered with an error document; `reason` is its code.
    case refused(reason: String)
}
