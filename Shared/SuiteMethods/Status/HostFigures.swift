/// What progress-host is doing.
package struct HostFigures: Codable, Sendable, Equatable {
    /// Jobs and who works on them.
    package struct Jobs: Codable, Sendable, Equatable {
        /// Open jobs of which no item was claimed.
        package var pending = 0
        /// Open jobs of which an item was claimed.
        package var processing = 0
        /// Items without an outcome that no worker holds, of small jobs and of large ones.
        package var waitingInteractive = 0
        /// The same of large jobs.
        package var waitingBulk = 0
        /// Items that workers hold.
        package var leased = 0
        /// Connected workers.
        package var workers = 0
        /// Sockets that watch jobs.
        package var sockets = 0
        /// When the next follow-up or background retry is due, milliseconds since 1970.
        package var nextLaterAt: Int64?
        /// The oldest open jobs, at most ten.
        package var oldestOpen: [JobFigure] = []
        /// The jobs that ended last since the process started, newest first, at most ten.
        package var recentlyEnded: [JobFigure] = []

        package init() {}
    }

    /// The database's files.
    package struct Storage: Codable, Sendable, Equatable {
        /// Why the database takes no writes; nil while it does.
        package var refusal: String?
        /// Bytes of `jobs.sqlite`.
        package var databaseBytes: Int
        /// Bytes of its write-ahead log.
        package var logBytes: Int

        package init(refusal: String?, databaseBytes: Int, logBytes: Int) {
            self.refusal = refusal
            self.databaseBytes = databaseBytes
            self.logBytes = logBytes
        }
    }

    /// Jobs, items and who works on them.
    package var jobs: Jobs
    /// The database.
    package var storage: Storage
    /// Commands that wait for the engine.
    package var mailbox: QueueFigure

    package init(jobs: Jobs, storage: Storage, mailbox: QueueFigure) {
        self.jobs = jobs
        self.storage = storage
        self.mailbox = mailbox
    }
}
