/// Why a circuit breaker opened.
package enum BreakerCause: Hashable, Sendable {
    /// Too many failed calls in a row.
    case failures
    /// The provider's quota is used up.
    case quota
    /// The provider refuses every call until a setting is corrected.
    case refusal(LastingRefusal)

    /// A stable name for logs and figures.
    package var code: String {
        switch self {
        case .failures: "failures"
        case .quota: "quota"
        case .refusal: "refusal"
        }
    }

    /// The refusal, where that is the cause.
    package var refusal: LastingRefusal? {
        if case .refusal(let refusal) = self { refusal } else { nil }
    }
}

/// A refusal that lasts until an operator corrects a setting (metadata.md "Providers").
///
/// The breaker opens at the first such refusal, which is logged once and spends none of the day's budget. One probe after a minute checks
/// whether the refusal still holds; the interval doubles up to an hour.
package struct LastingRefusal: Hashable, Sendable {
    /// What the provider does not accept.
    package enum Cause: String, Sendable {
        /// The key is wrong, expired, or not meant for this service or address.
        case key
        /// The provider cannot tell the country that we ask from.
        case country
        /// The requests do not say who sends them.
        case identification
    }

    package let cause: Cause
    /// The setting to correct, for example `BOOKSTRACK_GOOGLE_BOOKS_API_KEY`.
    package let setting: String

    package init(_ cause: Cause, setting: String) {
        self.cause = cause
        self.setting = setting
    }

    /// What is wrong, as a sentence that begins with the provider's name.
    package var statement: String {
        switch cause {
        case .key: "refuses the key"
        case .country: "cannot tell the country that it is asked from"
        case .identification: "refuses requests that do not say who sends them"
        }
    }
}
