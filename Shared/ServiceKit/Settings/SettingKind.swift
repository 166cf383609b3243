package import Foundation
package import SuiteMethods

/// The type of a setting in a JSON file.
package enum SettingShape: Sendable {
    case text
    case integer
    case number
    case truth
    case list
}

/// Parses and shows the values of a setting.
package struct SettingKind<Value: Sendable>: Sendable {
    /// Unit of the number, if it has one.
    package var unit: String?
    /// Whether the value must not be shown.
    package var isSecret = false
    /// The setting's type in a JSON file.
    package var shape: SettingShape
    /// Parses a string. Throws a problem that states what is allowed.
    package var parse: @Sendable (String) throws(SettingProblem) -> Value
    /// The text for a value: one that `parse` accepts, except that secrets are masked and nil is empty.
    package var show: @Sendable (Value) -> String
}

/// The fault in a setting's text, as the end of the sentence "NAME …".
package struct SettingProblem: Error, Equatable {
    package let text: String
    /// Whether the setting's value may contain a password and must not be shown with the problem.
    package let hidesValue: Bool

    package init(_ text: String, hidesValue: Bool = false) {
        self.text = text
        self.hidesValue = hidesValue
    }
}

extension SettingKind where Value == Int {
    /// A whole number within `range`.
    package static func integer(_ range: ClosedRange<Int>, unit: String? = nil) -> Self {
        SettingKind(
            unit: unit, shape: .integer,
            parse: { text throws(SettingProblem) in try wholeNumber(text, in: range) }, show: { String($0) })
    }

    /// A TCP port; 0 lets the system choose one.
    package static var port: Self { .integer(0...65_535) }
}

extension SettingKind where Value == Int? {
    /// A whole number within `range`, with a default that the program computes.
    package static func optionalInteger(_ range: ClosedRange<Int>) -> Self {
        SettingKind(
            shape: .integer, parse: { text throws(SettingProblem) in try wholeNumber(text, in: range) },
            show: { $0.map(String.init) ?? "" })
    }
}

extension SettingKind where Value == Double {
    /// A rate per second; 0 means no limit.
    package static var ratePerSecond: Self {
        SettingKind(
            unit: "per second", shape: .number,
            parse: { text throws(SettingProblem) in
                guard let rate = Double(text), (0...100_000).contains(rate) else {
                    throw SettingProblem("must be a number from 0 (no limit) to 100000")
                }
                return rate
            },
            show: { $0 == $0.rounded() ? String(Int($0)) : String($0) })
    }
}

extension SettingKind where Value == Double? {
    /// A rate per second, with a default that the program computes.
    package static var optionalRatePerSecond: Self {
        let rate = SettingKind<Double>.ratePerSecond
        return SettingKind(
            unit: rate.unit, shape: .number, parse: { text throws(SettingProblem) in try rate.parse(text) },
            show: { $0.map(rate.show) ?? "" })
    }
}

extension SettingKind where Value == Duration {
    /// Whole milliseconds within `range`.
    package static func milliseconds(_ range: ClosedRange<Int>) -> Self {
        SettingKind(
            unit: "ms", shape: .integer,
            parse: { text throws(SettingProblem) in .milliseconds(try wholeNumber(text, in: range)) },
            show: { String(Int($0 / .milliseconds(1))) })
    }

    /// Whole seconds within `range`.
    package static func seconds(_ range: ClosedRange<Int>) -> Self {
        SettingKind(
            unit: "s", shape: .integer,
            parse: { text throws(SettingProblem) in .seconds(try wholeNumber(text, in: range)) },
            show: { String($0.components.seconds) })
    }
}

extension SettingKind where Value == [UInt32] {
    /// User identifiers, separated by commas.
    package static var userIDs: Self {
        .list("numeric user IDs", parse: { UInt32($0) }, show: { String($0) })
    }
}

private func wholeNumber(_ text: String, in range: ClosedRange<Int>) throws(SettingProblem) -> Int {
    guard let number = Int(text), range.contains(number) else {
        throw SettingProblem("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
}

extension SettingKind where Value == [String] {
    /// Web origins separated by commas; `:*` at the end means any port.
    package static var origins: Self {
        .entries("origins such as https://books.example.org or http://localhost:*") { entry in
            WebOrigin(entry.hasSuffix(":*") ? entry.dropLast(2) : entry[...]) == nil ? nil : entry
        }
    }

    /// Base addresses separated by commas; trailing slashes are dropped, as in a single base address.
    package static var baseURLs: Self {
        .entries("http or https addresses without a query, fragment, user or password") { entry in
            try? SettingKind<String>.baseURL.parse(entry)
        }
    }

    /// Names and addresses of hosts, without ports, separated by commas.
    package static var hosts: Self {
        .entries("host names or addresses without a port") { HostName($0) == nil ? nil : $0 }
    }

    /// Hosts with or without a port, separated by commas.
    package static var webhookHosts: Self {
        .entries("hosts such as hooks.example.org, 127.0.0.1:8080 or [::1]:8080") { entry in
            WebhookHosts.isEntry(entry) ? entry : nil
        }
    }

    /// - Parameter parse: Returns an entry in the form in which it is used; nil if it is not allowed.
    private static func entries(_ wanted: String, _ parse: @escaping @Sendable (String) -> String?) -> Self {
        .list(wanted, mayHavePasswords: true, parse: parse, show: { $0 })
    }
}

extension SettingKind where Value == Date {
    /// A calendar date as `YYYY-MM-DD`; the value is the start of that day in UTC.
    package static var day: SettingKind<Date> {
        let format = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        return SettingKind(
            shape: .text,
            parse: { text throws(SettingProblem) in
                // A date that changes when it is formatted again does not exist, for example 2027-02-30.
                guard let date = try? format.parse(text), format.format(date) == text else {
                    throw SettingProblem("must be a date such as 2027-05-21")
                }
                return date
            },
            show: { format.format($0) })
    }
}

extension SettingKind where Value == [AddressBlock] {
    /// Addresses and blocks of addresses, separated by commas.
    package static var addressBlocks: Self {
        .list(
            "addresses or CIDR blocks such as 10.0.0.0/8", parse: { AddressBlock($0) }, show: { $0.description })
    }
}

extension SettingKind where Value == WorkerName {
    package static var workerName: SettingKind<WorkerName> {
        SettingKind(
            shape: .text,
            parse: { text throws(SettingProblem) in
                guard let name = WorkerName(text) else {
                    throw SettingProblem(
                        "must be 1 to 16 characters from a-z, 0-9 and -, with a letter or digit at both ends")
                }
                return name
            },
            show: { $0.text })
    }
}

extension SettingKind where Value == Bool {
    /// A Boolean value: `on`/`off`, `true`/`false`, `yes`/`no`, `1`/`0`.
    package static var toggle: Self {
        SettingKind(
            shape: .truth,
            parse: { text throws(SettingProblem) in
                switch text.lowercased() {
                case "on", "true", "yes", "1": return true
                case "off", "false", "no", "0": return false
                default: throw SettingProblem("must be on or off")
                }
            },
            show: { $0 ? "on" : "off" })
    }
}

extension SettingKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the cases, by raw value.
    package static var choice: Self {
        SettingKind(
            shape: .text,
            parse: { text throws(SettingProblem) in
                guard let value = Value(rawValue: text.lowercased()) else {
                    throw SettingProblem("must be one of " + Value.allCases.map(\.rawValue).joined(separator: ", "))
                }
                return value
            },
            show: { $0.rawValue })
    }
}

extension SettingKind {
    /// A list of entries separated by commas.
    ///
    /// - Parameters:
    ///   - wanted: The allowed entries, as the end of the sentence "NAME must be …".
    ///   - mayHavePasswords: Whether an invalid list that contains an @ is hidden.
    ///   - parse: Returns nil for an entry that is not allowed.
    fileprivate static func list<Entry: Sendable>(
        _ wanted: String, mayHavePasswords: Bool = false, parse: @escaping @Sendable (String) -> Entry?,
        show: @escaping @Sendable (Entry) -> String
    ) -> Self where Value == [Entry] {
        SettingKind(
            shape: .list,
            parse: { text throws(SettingProblem) in
                let texts = listEntries(text)
                let entries = texts.compactMap(parse)
                guard entries.count == texts.count else {
                    throw SettingProblem("must be \(wanted)", hidesValue: mayHavePasswords && text.contains("@"))
                }
                return entries
            },
            show: { $0.map(show).joined(separator: ",") })
    }
}

/// The entries of a comma-separated list, trimmed and without empty ones.
func listEntries(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
}
