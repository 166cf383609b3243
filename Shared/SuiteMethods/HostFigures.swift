package import BookstrackContract

/// The current figures of progress-host.
package struct HostFigures: Codable, Sendable, Equatable {
    /// Figures about jobs, items, workers and sockets.
    package struct Jobs: Codable, Sendable, Equatable {
        /// Number of open jobs that no worker has claimed yet.
        package var pending = 0
        /// Number of all other open jobs.
        package var processing = 0
        /// Number of items of interactive jobs that have no outcome and are neither leased nor waiting for their next attempt.
        package var waitingInteractive = 0
        /// Number of items of bulk jobs that have no outcome and are neither leased nor waiting for their next attempt.
        package var waitingBulk = 0
        /// Number of leased items.
        package var leased = 0
        /// Number of workers that have attached (``AttachWorker``).
        package var workers = 0
        /// Number of sockets, event streams and waiting requests that follow jobs.
        package var sockets = 0
        /// When the next follow-up or background retry is due, in milliseconds since 1970; the current time if one is already waiting for a worker,
        /// nil if none is planned.
        package var nextLaterAt: Int64?
        /// The oldest open jobs, at most ten.
        package var oldestOpen: [JobFigure] = []
        /// The stored jobs that ended most recently since the process started, newest first, at most ten; empty while the database cannot be read.
        package var recentlyEnded: [JobFigure] = []

        package init() {}
    }

    /// The database files.
    package struct Storage: Codable, Sendable, Equatable {
        /// Why the database refuses writes; nil if it accepts them.
        package var refusal: String?
        /// Size of `jobs.sqlite` in bytes.
        package var databaseBytes: Int
        /// Size of its write-ahead log in bytes.
        package var logBytes: Int

        package init(refusal: String?, databaseBytes: Int, logBytes: Int) {
            self.refusal = refusal
            self.databaseBytes = databaseBytes
            self.logBytes = logBytes
        }
    }

    /// Figures about jobs, items, workers and sockets.
    package var jobs: Jobs
    /// The sizes of the database files, and whether writes are accepted.
    package var storage: Storage
    /// Commands waiting for the engine.
    package var mailbox: QueueFigure

    package init(jobs: Jobs, storage: Storage, mailbox: QueueFigure) {
        self.jobs = jobs
        self.storage = storage
        self.mailbox = mailbox
    }
}

/// A job as listed by `bookstrack status`. For an import, the rows of its file count as items.
package struct JobFigure: Codable, Sendable, Equatable {
    /// The job's identifier.
    package var jobId: JobID
    /// The job's state.
    package var status: JobStatus
    /// Number of items that have succeeded or failed.
    package var processed: Int
    /// Number of failed items.
    package var failed: Int
    /// Total number of items.
    package var total: Int
    /// When the job was created, in milliseconds since 1970.
    package var createdAt: Int64
    /// When the job ended, in milliseconds since 1970; nil while the job is open.
    package var endedAt: Int64?

    package init(
        jobId: JobID, status: JobStatus, processed: Int, failed: Int, total: Int, createdAt: Int64, endedAt: Int64?
    ) {
        self.jobId = jobId
        self.status = status
        self.processed = processed
        self.failed = failed
        self.total = total
        self.createdAt = createdAt
        self.endedAt = endedAt
    }
}
