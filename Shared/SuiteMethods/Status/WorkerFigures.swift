/// What enrichment-worker is doing.
package struct WorkerFigures: Codable, Sendable, Equatable {
    /// Items that are claimed and not confirmed.
    package var held: QueueFigure
    /// Outcomes that progress-host has not confirmed.
    package var outbox: QueueFigure
    /// Questions that wait for a provider's answer.
    package var questions: Int
    /// Each provider that is asked.
    package var providers: [ProviderFigure]
    /// Answers of providers on disk.
    package var cache: CacheFigure

    package init(
        held: QueueFigure, outbox: QueueFigure, questions: Int, providers: [ProviderFigure], cache: CacheFigure
    ) {
        self.held = held
        self.outbox = outbox
        self.questions = questions
        self.providers = providers
        self.cache = cache
    }
}
