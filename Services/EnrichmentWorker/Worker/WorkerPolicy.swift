/// Every number the worker goes by.
struct WorkerPolicy: Sendable {
    /// First look-ups that are held at once, over all jobs.
    var firstLookups = 500
    /// Places for items of small jobs, beyond `firstLookups`.
    var interactiveReserve = 50
    /// Follow-ups and background retries that are held at once.
    var laterItems = 250
    /// Least time between two claims of follow-ups and background retries while first look-ups are under way.
    var laterPause: Duration = .seconds(1)
    /// Items of one job that are held at once, first look-ups and later ones each for itself: ten full requests.
    var perJob = 250
    /// Fewest items that are worth a claim while others are under way; a full request.
    var smallestClaim = 25
    /// How long a claim waits for work at the host.
    var claimWait: Duration = .seconds(25)
    var claimWaitMilliseconds: Int { Int(claimWait / .milliseconds(1)) }
    /// How long a request to a provider that is not full waits for more questions.
    var gathering: Duration = .milliseconds(2)
    /// How long a look-up may take; below the host's lease of 120 s.
    var itemDeadline: Duration = .seconds(90)
    /// An item waits for what only adds to it when that is expected within this time, and for twice as long at the most.
    var patience: Duration = .seconds(3)
    /// Outcomes that wait to be recorded; beyond, nothing is claimed.
    var outcomes = 1_000
    /// How long finished items may take to be delivered when the worker stops.
    var deliveryLimit: Duration = .seconds(5)
}
