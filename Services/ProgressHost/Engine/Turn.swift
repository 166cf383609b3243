import GRDB

/// One go of the engine inside one transaction: the database, and the moment that counts as now for all that happens in it.
struct Turn {
    let db: Database
    let now: Moment

    var jobs: JobStore { JobStore(db: db) }
    var items: ItemStore { ItemStore(db: db) }
    var later: LaterStore { LaterStore(db: db) }
    var tokens: TokenStore { TokenStore(db: db) }
    var sweep: SweepStore { SweepStore(db: db) }
}
