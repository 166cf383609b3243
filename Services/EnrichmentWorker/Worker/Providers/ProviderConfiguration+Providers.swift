import BookMetadata
import Foundation
import ProviderHTTP
import ServiceKit

// How each provider is called, and what its refusals mean.
extension ProviderConfiguration {
    /// A client that Open Library has had enough of gets 403.
    static func openLibrary(_ base: BaseURL) -> ProviderConfiguration {
        ProviderConfiguration(
            name: ProviderName.openLibrary.rawValue, baseURL: base,
            judge: { status, _ in status == 403 ? .quotaExhausted(.unknown) : .ordinary })
    }

    /// A bare 429 of Google asks for a pause, not for the end of the day: only the body decides. Refusals of the key or the country last.
    ///
    /// - Parameter country: Two letters, without which Google refuses servers that it cannot place.
    static func googleBooks(_ base: BaseURL, key: Secret?, country: String) -> ProviderConfiguration {
        ProviderConfiguration(
            name: ProviderName.googleBooks.rawValue, baseURL: base, credential: googleCredential(key),
            commonQuery: "country=\(country)",
            judge: { status, body in
                switch GoogleBooksFailure(status: status == 429 ? 400 : status, body: body) {
                case .quotaExhausted: .quotaExhausted(.unknown)
                case .keyRefused: .refused(LastingRefusal(.key, setting: SettingKey.googleBooksKey.name))
                case .locationUnknown: .refused(LastingRefusal(.country, setting: SettingKey.googleBooksCountry.name))
                case .notFound, .unavailable, .refused: .ordinary
                }
            })
    }

    /// ISBNdb answers 401 to a wrong key, and 403 when the requests of the day are used up, or to a key of another plan
    /// (https://isbndb.com/isbndb-api-documentation-v2): there the body decides.
    ///
    /// - Throws: `SettingsError` for a key that no header can carry.
    static func isbndb(_ base: BaseURL, key: Secret) throws(SettingsError) -> ProviderConfiguration {
        guard let field = HeaderField(name: "Authorization", value: key.exposed) else {
            throw .contradiction("BOOKSTRACK_ISBNDB_API_KEY cannot be sent in a header")
        }
        return ProviderConfiguration(
            name: ProviderName.isbndb.rawValue, baseURL: base, credential: .header(field),
            judge: { status, body in
                switch ISBNdbFailure(status: status, body: body) {
                case .quotaExhausted: .quotaExhausted(.unknown)
                case .keyRefused: .refused(LastingRefusal(.key, setting: SettingKey.isbndbKey.name))
                case .other: .ordinary
                }
            })
    }

    /// Wikimedia answers 403 to requests that do not say who sends them
    /// (https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy).
    static func wikidata(_ base: BaseURL) -> ProviderConfiguration {
        ProviderConfiguration(
            name: ProviderName.wikidata.rawValue, baseURL: base,
            judge: { status, _ in
                status == 403
                    ? .refused(LastingRefusal(.identification, setting: SettingKey.contact.name)) : .ordinary
            })
    }

    private static func googleCredential(_ key: Secret?) -> ProviderCredential {
        guard let key else { return .none }
        // RFC 3986 §2.3: only unreserved characters look the same in every encoder's hands.
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let unreserved = CharacterSet(charactersIn: letters + "0123456789-._~")
        let value = key.exposed.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        return .query(name: "key", value: value)
    }
}
