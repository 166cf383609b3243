/// Why the body of an answer of Wikidata could not be used.
package enum WikidataBodyError: Error, Hashable, Sendable {
    /// Not the JSON document that was asked for.
    case malformed
    /// The servers lag behind or the caller asked too often (`maxlag`, `ratelimited`); a later call may succeed.
    case busy
    /// More values than one request may have; the limit depends on the client
    /// (https://www.mediawiki.org/wiki/API:Data_formats#Multivalue_parameters).
    case tooManyValues
    /// The API answered with an error document; `reason` is its code.
    case refused(reason: String)
}
