/// Additions to a command's help and the man page: examples, and the meanings of its usual exit statuses.
struct VerbNotes {
    struct Example {
        let purpose: String
        /// A command line that can be pasted.
        let command: String

        init(_ purpose: String, _ command: String) {
            self.purpose = purpose
            self.command = command
        }
    }

    var examples: [Example] = []
    var statuses: [(status: ExitStatus, meaning: String)] = []

    /// The notes for the command with this path; "" stands for the program itself.
    static func of(_ path: String) -> VerbNotes {
        var notes = all[path] ?? VerbNotes()
        if path.isEmpty { notes.statuses = ExitStatus.allCases.map { ($0, $0.meaning) } }
        return notes
    }

    private static let noAnswer = (
        ExitStatus.unavailable, "the API does not answer, or a service that it needs is down"
    )
    private static let noLookup = (
        ExitStatus.unavailable, "the API or another service does not answer, or a provider failed"
    )
    private static let tryLater = (ExitStatus.tryLater, "the server is busy; try again later")
    private static let limited = (ExitStatus.limited, "a request limit or quota is used up")
    private static let noJob = (ExitStatus.noInput, "there is no such job")
    private static let wrongUsage = (ExitStatus.usage, "usage error")
    private static let badSetting = (ExitStatus.configuration, "a setting is invalid")
    private static let found = [
        (ExitStatus.success, "something was found for every query"),
        (.incomplete, "nothing was found for at least one query"),
        limited, wrongUsage, (.badInput, "the query is not valid"), noLookup, tryLater, badSetting,
    ]

    private static let job = "f2fe9772"

    private static let all: [String: VerbNotes] = [
        "": VerbNotes(examples: [
            .init("Find a book by words from its title", "bookstrack search title left hand of darkness"),
            .init("Import a library", "bookstrack import goodreads_library_export.csv"),
            .init("Find out why something does not work", "bookstrack doctor"),
        ]),
        "search": VerbNotes(
            examples: [
                .init("By title", "bookstrack search title left hand of darkness"),
                .init("By ISBN", "bookstrack search isbn 9780441172719"),
                .init("The editions of a work", "bookstrack search editions dune --author \"frank herbert\""),
            ], statuses: found),
        "search isbn": VerbNotes(
            examples: [
                .init("One book, in full detail", "bookstrack search isbn 9780441172719"),
                .init("Several books, as a table", "bookstrack search isbn 0-441-17271-7 9780141439587"),
                .init("Only the title", "bookstrack search isbn 9780441172719 --json | jq -r '.works[0].title'"),
            ], statuses: found),
        "search title": VerbNotes(
            examples: [
                .init("By words from the title", "bookstrack search title left hand of darkness"),
                .init(
                    "With the author, and the cover URLs",
                    "bookstrack search title emma --author \"jane austen\" --covers"),
                .init("Why each book was found", "bookstrack search title dune --limit 3 --explain"),
            ], statuses: found),
        "search author": VerbNotes(
            examples: [
                .init("Books by an author", "bookstrack search author ursula le guin"),
                .init("The first five", "bookstrack search author jane austen --limit 5"),
                .init("As CSV for a spreadsheet", "bookstrack search author jane austen --format csv > austen.csv"),
            ], statuses: found),
        "search editions": VerbNotes(
            examples: [
                .init("Editions of a work", "bookstrack search editions dune --author \"frank herbert\""),
                .init(
                    "The most complete edition",
                    "bookstrack search editions emma --author \"jane austen\" --limit 1 --json"),
                .init(
                    "With the cover URLs",
                    "bookstrack search editions dune --author \"frank herbert\" --covers"),
            ], statuses: found),
        "import": VerbNotes(
            examples: [
                .init("A library, with its metadata", "bookstrack import goodreads_library_export.csv"),
                .init("Preview what would be imported", "bookstrack import books.csv --preview"),
                .init(
                    "A table with unusual headers",
                    "bookstrack import boeken.csv --map Naam=title --map Schrijver=author"),
            ],
            statuses: [
                (.success, "every row was used and every book that was looked up was found"),
                (.incomplete, "some rows could not be used, or some books were not found"),
                (.jobFailed, "looking up metadata failed"), limited,
                (.cancelled, "the import or the lookup was cancelled"), wrongUsage,
                (.badInput, "the file cannot be used"), (.noInput, "no such file"), noLookup, tryLater,
                badSetting,
                (.interrupted, "interrupted; the import continues in the background"),
            ]),
        "enrich": VerbNotes(
            examples: [
                .init("A list, as a table", "bookstrack enrich books.csv"),
                .init("Two ISBNs", "bookstrack enrich 9780441172719 9780141439587"),
                .init(
                    "From another program, as CSV",
                    "cut -d, -f3 export.csv | bookstrack enrich - --format csv > found.csv"),
            ],
            statuses: [
                (.success, "every book was found"), (.incomplete, "some books were not found"),
                (.jobFailed, "the job failed"), limited, (.cancelled, "the job was cancelled"), wrongUsage,
                (.badInput, "the list cannot be read, or a book has neither a usable ISBN nor a title"),
                (.noInput, "no such file or unfinished list"), noLookup,
                (.tryLater, "the server is busy, or another run is submitting the list; try again later"),
                badSetting,
                (.interrupted, "interrupted; the job continues in the background"),
            ]),
        "scan": VerbNotes(
            examples: [
                .init("A shelf, as tables", "bookstrack scan shelf.jpg"),
                .init(
                    "Two photos, with a box drawn around each book",
                    "bookstrack scan left.jpg right.jpg --annotate boxes"),
                .init("Only the titles", "bookstrack scan shelf.jpg --json | jq -r '.books[].title'"),
            ],
            statuses: [
                (.success, "every photo was read and every book approved"),
                (.incomplete, "some books need review, a photo could not be read, or no book was found"),
                (.jobFailed, "no photo could be read"), limited,
                (.cancelled, "the scan was cancelled"), wrongUsage,
                (.badInput, "a file is not a photo, or is too large"),
                (.noInput, "no such file"),
                (.unavailable, "the API does not answer, or no engine can read photos"),
                (.cannotWrite, "the annotated photos cannot be written"), tryLater,
                badSetting,
                (.interrupted, "interrupted; the scan continues in the background"),
            ]),
        "watch": VerbNotes(
            examples: [
                .init("Until the job ends", "bookstrack watch \(job)"),
                .init("A job that was started elsewhere", "bookstrack watch \(job) --token rGTm0mVQ"),
                .init("The events as JSON, one per line", "bookstrack watch \(job) --json"),
            ],
            statuses: [
                (.success, "every book was found"), (.incomplete, "some books were not found"),
                (.jobFailed, "the job failed"), limited, (.cancelled, "the job was cancelled"), wrongUsage,
                (.badInput, "a book has neither a usable ISBN nor a title"), noJob, noLookup, tryLater,
                (.notPermitted, "the token is missing or was refused"),
                badSetting,
                (.interrupted, "interrupted; the job continues in the background"),
            ]),
        "results": VerbNotes(
            examples: [
                .init("As a table", "bookstrack results \(job)"),
                .init("As CSV for a spreadsheet", "bookstrack results \(job) --format csv > books.csv"),
                .init(
                    "The title of each book, or null if it was not found",
                    "bookstrack results \(job) --json | jq '.enrichedBooks[].enriched.work.title'"),
            ],
            statuses: [
                (.success, "the results were printed"), wrongUsage, noAnswer, (.tryLater, "the job has not ended yet"),
                (.noInput, "there is no such job, or its results have expired"),
                (.badInput, "the imported file could not be used"), (.jobFailed, "the scan failed"),
                (.cancelled, "the import or scan was cancelled"), badSetting,
            ]),
        "jobs": VerbNotes(
            examples: [
                .init("The latest", "bookstrack jobs"),
                .init("Jobs that failed in the last 24 hours", "bookstrack jobs --status failed --since 1d"),
                .init("Refreshed every second", "bookstrack jobs --watch"),
            ],
            statuses: [
                (.success, "the jobs were listed"), wrongUsage, (.unavailable, "progress-host does not answer"),
                badSetting,
            ]),
        "retry": VerbNotes(
            examples: [
                .init("The books without a result", "bookstrack retry \(job)"),
                .init("A job that was started elsewhere", "bookstrack retry \(job) --token rGTm0mVQ"),
                .init("A job on another server", "bookstrack retry \(job) --url https://books.example.org"),
            ],
            statuses: [
                (.success, "the books are being retried, there are none to retry, or the job has not ended yet"),
                (.limited, "the job was retried less than a minute ago"), wrongUsage, noJob, noAnswer, tryLater,
                (.notPermitted, "the token is missing or was refused"), badSetting,
            ]),
        "cancel": VerbNotes(
            examples: [
                .init("A job that was started from this account", "bookstrack cancel \(job)"),
                .init("A job that was started elsewhere", "bookstrack cancel \(job) --token rGTm0mVQ"),
                .init("A job on another server", "bookstrack cancel \(job) --url https://books.example.org"),
            ],
            statuses: [
                (.success, "the job was cancelled, is being cancelled, or had already ended"), wrongUsage, noJob,
                noAnswer, tryLater,
                (.notPermitted, "the token is missing or was refused"), badSetting,
            ]),
        "completions": VerbNotes(
            examples: [
                .init("In this bash session", "source <(bookstrack completions bash)"),
                .init("For zsh, in a directory of $fpath", "bookstrack completions zsh > ~/.zfunc/_bookstrack"),
                .init(
                    "For fish", "bookstrack completions fish > ~/.config/fish/completions/bookstrack.fish"),
            ], statuses: [(.success, "the script was printed"), wrongUsage]),
        "config": VerbNotes(
            examples: [
                .init("All settings", "bookstrack config"),
                .init("The settings of a service with an option", "bookstrack config --http-port 9000"),
                .init(
                    "The value of one setting",
                    "bookstrack config --json | jq '.[] | select(.name | endswith(\"HTTP_PORT\"))'"),
            ],
            statuses: [
                (.success, "the settings are valid"), wrongUsage, badSetting,
            ]),
        "health": VerbNotes(
            examples: [
                .init("The API", "bookstrack health api-proxy"),
                .init("The providers, as the worker sees them", "bookstrack health enrichment-worker"),
                .init("In a script", "until bookstrack health progress-host; do sleep 1; done"),
            ],
            statuses: [
                (.success, "ready or degraded"), (.incomplete, "unable to serve"), wrongUsage,
                (.unavailable, "the service does not answer"), badSetting,
            ]),
        "analytics": VerbNotes(
            examples: [
                .init("The last week", "bookstrack analytics"),
                .init("The last 30 days as CSV", "bookstrack analytics --since 30d --format csv > quality.csv"),
                .init("ISBNs that failed or were reported by readers", "bookstrack analytics --failing"),
            ],
            statuses: [(.success, "done"), wrongUsage, (.unavailable, "the service does not answer"), badSetting]),
        "cache": VerbNotes(
            examples: [
                .init("Sizes and hit rates", "bookstrack cache stats"),
                .init("The hit rate of each cache", "bookstrack cache stats --json | jq '.[].hitRate'"),
                .init("Empty the caches, so that books are fetched again", "bookstrack cache purge --yes"),
            ],
            statuses: [
                (.success, "done"), (.incomplete, "a cache was not emptied"), wrongUsage,
                (.unavailable, "no service answers"), badSetting,
            ]),
        "cache stats": VerbNotes(
            examples: [
                .init("Sizes and hit rates", "bookstrack cache stats"),
                .init("The hit rate of each cache", "bookstrack cache stats --json | jq '.[].hitRate'"),
                .init(
                    "The size of each cache in bytes", "bookstrack cache stats --json | jq '.[].bytes'"),
            ],
            statuses: [(.success, "a service answered"), wrongUsage, (.unavailable, "no service answers"), badSetting]),
        "cache purge": VerbNotes(
            examples: [
                .init("After asking for confirmation", "bookstrack cache purge"),
                .init("In a script", "bookstrack cache purge --yes"),
                .init("The number of removed entries", "bookstrack cache purge --yes --json | jq '.[].removed'"),
            ],
            statuses: [
                (.success, "every cache is empty"), (.incomplete, "a cache was not emptied"), wrongUsage,
                (.unavailable, "no service answers"), badSetting,
            ]),
        "tail": VerbNotes(
            examples: [
                .init("Failed API requests", "bookstrack tail api-proxy --status error"),
                .init("Everything about one job in the last ten minutes", "bookstrack tail --job \(job) --since 10m"),
                .init(
                    "Requests, calls and steps that took more than 500 ms",
                    "bookstrack tail --json | jq -c 'select(.durationMs > 500) | .event'"),
            ],
            statuses: [
                (.success, "ended by Ctrl-C"), wrongUsage, (.unavailable, "no service is left to follow"), badSetting,
            ]),
        "status": VerbNotes(
            examples: [
                .init("Once", "bookstrack status"), .init("Refreshed every second", "bookstrack status --watch"),
                .init(
                    "The number of jobs in progress",
                    "bookstrack status --json | jq '.services[0].status.host.jobs.processing'"),
            ],
            statuses: [
                (.success, "all services are serving, or --watch was ended"), (.incomplete, "a service is not serving"),
                wrongUsage,
                (.unavailable, "no service answers"), badSetting,
            ]),
        "doctor": VerbNotes(
            examples: [
                .init("Everything", "bookstrack doctor"),
                .init(
                    "Only the problems",
                    "bookstrack doctor --json | jq '.findings[] | select(.verdict == \"problem\")'"),
                .init("In a script", "bookstrack doctor > report.txt || mail -s \"BooksTrack\" root < report.txt"),
            ],
            statuses: [
                (.success, "no problem was found"), (.incomplete, "at least one problem was found"), wrongUsage,
            ]),
        "backup": VerbNotes(
            examples: [
                .init("Into a directory", "bookstrack backup /var/backups/bookstrack"),
                .init("With the cache of provider responses", "bookstrack backup --with-cache /var/backups/bookstrack"),
                .init(
                    "Make a backup and verify it", "bookstrack check \"$(bookstrack backup /var/backups/bookstrack)\""),
            ],
            statuses: [
                (.success, "the backup is complete; its path is on standard output"), wrongUsage,
                (.badInput, "a database is damaged or empty"), (.noInput, "there is no database"),
                (.cannotWrite, "the backup cannot be written"),
                (.notPermitted, "the files belong to another user"), badSetting,
            ]),
        "restore": VerbNotes(
            examples: [
                .init(
                    "After asking for confirmation",
                    "bookstrack restore /var/backups/bookstrack/bookstrack-20261121T020000.000Z"),
                .init("In a script", "bookstrack restore -y /var/backups/bookstrack/bookstrack-20261121T020000.000Z"),
                .init(
                    "Verify a backup before restoring it",
                    "bookstrack check /var/backups/bookstrack/bookstrack-20261121T020000.000Z"),
            ],
            statuses: [
                (.success, "the databases are restored"), (.incomplete, "not confirmed; nothing was changed"),
                wrongUsage,
                (.badInput, "the backup is incomplete or damaged"), (.noInput, "there is no such backup"),
                (.cannotWrite, "a file cannot be written, for example because the disk is full"),
                (.tryLater, "a service is running or has the databases open"),
                (.notPermitted, "the files belong to another user"), badSetting,
            ]),
        "check": VerbNotes(
            examples: [
                .init("The databases in BOOKSTRACK_DATA_DIR", "bookstrack check"),
                .init("More thoroughly, comparing the indexes with their tables", "bookstrack check --full"),
                .init("A backup", "bookstrack check /var/backups/bookstrack/bookstrack-20261121T020000.000Z"),
            ],
            statuses: [
                (.success, "no problem was found"), (.incomplete, "at least one problem was found"), wrongUsage,
                (.badInput, "the backup is incomplete"), (.noInput, "there is no such backup"),
                (.notPermitted, "the backup belongs to another user"), badSetting,
            ]),
    ]
}
