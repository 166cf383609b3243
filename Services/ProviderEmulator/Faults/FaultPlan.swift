/// Decides which faults apply to each request, and counts down rules that apply a limited number of times.
///
/// Matching rules apply in order, unless their probability decides otherwise. Delays add up, and `wrongBook` and `missing` apply only to the rule's
/// key. Of the other faults, which affect the whole response, only the first applies. A rule without a key applies to every key of a request.
struct FaultPlan: Sendable {
    /// The decision for one request.
    struct Verdict: Equatable, Sendable {
        var delay: Duration = .zero
        var substitutions: Substitutions = [:]
        /// A fault that affects the whole response; nil if there is none.
        var fault: Fault?
        /// The kinds of all faults that apply.
        var kinds: [Fault.Kind] = []
    }

    private struct ArmedRule: Sendable {
        let rule: FaultRule
        var remaining: Int?
    }

    private var rules: [ArmedRule] = []
    private var random: SplitMix64

    init(_ rules: [FaultRule] = [], seed: UInt64 = 1) {
        random = SplitMix64(state: seed)
        replace(with: rules)
    }

    mutating func replace(with rules: [FaultRule]) {
        self.rules = rules.map { ArmedRule(rule: $0, remaining: $0.times) }
    }

    mutating func verdict(provider: Provider, uri: String, keys: [AskedKey]) -> Verdict {
        var verdict = Verdict()
        for index in rules.indices {
            let rule = rules[index].rule
            guard rules[index].remaining != 0, rule.concerns(provider: provider, uri: uri, keys: keys),
                verdict.hasRoom(for: rule.fault), happens(rule)
            else { continue }
            rules[index].remaining = rules[index].remaining.map { $0 - 1 }
            verdict.apply(rule.fault, to: rule.key.map { [$0] } ?? keys)
        }
        return verdict
    }

    private mutating func happens(_ rule: FaultRule) -> Bool {
        rule.probability >= 1 || Double.random(in: 0..<1, using: &random) < rule.probability
    }
}

extension FaultRule {
    fileprivate func concerns(provider: Provider, uri: String, keys: [AskedKey]) -> Bool {
        if let wanted = self.provider, wanted != provider { return false }
        if let path, !uri.contains(path) { return false }
        guard let key else { return true }
        return keys.contains(key)
    }
}

extension FaultPlan.Verdict {
    fileprivate func hasRoom(for fault: Fault) -> Bool {
        switch fault {
        case .slow, .wrongBook, .missing: true
        default: self.fault == nil
        }
    }

    fileprivate mutating func apply(_ fault: Fault, to keys: [AskedKey]) {
        kinds.append(fault.kind)
        switch fault {
        case .slow(let delay): self.delay += delay
        case .wrongBook: for key in keys { substitutions[key] = .wrongBook }
        case .missing: for key in keys { substitutions[key] = .missing }
        default: self.fault = fault
        }
    }
}

/// A seeded random number generator, so faults with a probability are the same in every run with the same seed and requests.
struct SplitMix64: RandomNumberGenerator, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
