import SuiteMethods

/// How many calls may be in flight, and how long they gather questions.
struct CallLimits: Sendable {
    /// Calls that a job or a search takes part in (jobs.md "Work").
    var perParty = 10
    /// Calls to one provider.
    var perProvider = 32
    /// Calls on behalf of interactive jobs and searches that go beyond a provider's limit.
    var interactiveExtra = 8
    /// How long a request that is not full waits for the questions of other jobs while another of its kind is under way; no job waits for
    /// another longer than 50 ms.
    var sharing: Duration = .milliseconds(40)
    /// The same for an interactive job or a search.
    var interactiveSharing: Duration = .milliseconds(15)

    func sharing(_ rank: CallRank) -> Duration { rank.workClass == .interactive ? interactiveSharing : sharing }
}
