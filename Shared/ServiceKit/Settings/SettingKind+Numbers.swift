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
    /// A whole number within `range` that may be left to the program.
    package static func optionalInteger(_ range: ClosedRange<Int>) -> Self {
        SettingKind(
            shape: .integer, parse: { text throws(SettingProblem) in try wholeNumber(text, in: range) },
            show: { $0.map(String.init) ?? "" })
    }
}

extension SettingKind where Value == Double {
    /// A rate per second; 0 stands for no limit.
    package static var ratePerSecond: Self {
        SettingKind(
            unit: "requests/s", shape: .number,
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
    /// A rate per second that may be left to the program.
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
        SettingKind(
            shape: .list,
            parse: { text throws(SettingProblem) in
                var ids: [UInt32] = []
                for entry in listEntries(text) {
                    guard let id = UInt32(entry) else { throw SettingProblem("must be numeric user ids") }
                    ids.append(id)
                }
                return ids
            },
            show: { $0.map(String.init).joined(separator: ",") })
    }
}

private func wholeNumber(_ text: String, in range: ClosedRange<Int>) throws(SettingProblem) -> Int {
    guard let number = Int(text), range.contains(number) else {
        throw SettingProblem("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
}
