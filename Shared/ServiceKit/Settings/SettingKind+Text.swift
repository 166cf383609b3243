import Foundation

extension SettingKind where Value == String {
    /// Any non-empty string.
    package static var text: Self {
        SettingKind(shape: .text, parse: { text throws(SettingProblem) in text }, show: { $0 })
    }

    /// A two-letter country code (ISO 3166-1 alpha-2), shown in upper case.
    package static var countryCode: Self {
        SettingKind(
            shape: .text,
            parse: { text throws(SettingProblem) in
                let code = text.uppercased()
                guard code.utf8.count == 2,
                    code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
                else { throw SettingProblem("must be a two-letter country code such as US") }
                return code
            },
            show: { $0 })
    }

    /// An `http` or `https` address without a query, fragment or user information; a trailing slash is dropped. An invalid value that may contain a
    /// password is not shown in the error (RFC 9110 §4.2.4).
    package static var baseURL: Self {
        SettingKind(
            shape: .text,
            parse: { text throws(SettingProblem) in
                guard let url = URLComponents(string: text), ["http", "https"].contains(url.scheme),
                    url.host?.isEmpty == false, url.query == nil, url.fragment == nil, url.user == nil,
                    url.password == nil
                else {
                    throw SettingProblem(
                        "must be an http or https address without a query, fragment, user or password",
                        hidesValue: text.contains("@"))
                }
                return text.hasSuffix("/") ? String(text.dropLast()) : text
            },
            show: { $0 })
    }
}

extension SettingKind where Value == String? {
    /// An optional base address.
    package static var optionalBaseURL: Self {
        let base = SettingKind<String>.baseURL
        return SettingKind(
            shape: base.shape, parse: { text throws(SettingProblem) in try base.parse(text) }, show: { $0 ?? "" })
    }

    /// The address of a proxy, in the notation of `HTTPS_PROXY`: with or without its scheme, which defaults to `http`. The user name and password in
    /// it are not shown.
    package static var optionalProxy: Self {
        let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
        return SettingKind(
            shape: .text,
            parse: { text throws(SettingProblem) in
                let address = text.contains("://") ? text : "http://" + text
                guard let url = URLComponents(string: address), schemes.contains(url.scheme ?? ""),
                    url.host?.isEmpty == false, ["", "/"].contains(url.path), url.query == nil, url.fragment == nil
                else {
                    throw SettingProblem(
                        "must be a proxy address such as http://proxy.example:3128",
                        hidesValue: text.contains("@"))
                }
                return address.hasSuffix("/") ? String(address.dropLast()) : address
            },
            show: { address in
                guard let address, let end = address.lastIndex(of: "@"),
                    let start = address.range(of: "://")?.upperBound
                else { return address ?? "" }
                return address[..<start] + Secret.mask + address[end...]
            })
    }

    package static var optionalText: Self {
        SettingKind(shape: .text, parse: { text throws(SettingProblem) in text }, show: { $0 ?? "" })
    }
}

extension SettingKind where Value == Secret? {
    /// An optional secret.
    package static var secret: Self {
        SettingKind(
            isSecret: true, shape: .text, parse: { text throws(SettingProblem) in Secret(text) },
            show: { $0 == nil ? "" : Secret.mask })
    }
}

/// A string that logs, help and error messages never show.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shown instead of a secret.
    static let mask = "********"

    /// The secret itself, for the code that sends it.
    package let exposed: String

    package init(_ text: String) { exposed = text }

    package var description: String { Self.mask }
    package var debugDescription: String { Self.mask }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
