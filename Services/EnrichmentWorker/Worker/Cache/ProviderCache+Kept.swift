import Foundation
import GRDB
import NIOCore

// Answers from engines. They are rare, and each of them may cost money, so they are written immediately. They share the table of the providers'
// answers, including its limit and eviction.
extension ProviderCache {
    /// The JSON stored under a key; nil if there is none that is still valid, or if the cache cannot be read.
    func kept(_ key: String) async -> ByteBuffer? {
        let seconds = now
        let json = try? await use(.read) { pool in
            try await pool.read { db in
                try Data.fetchOne(
                    db, sql: "SELECT records FROM answer WHERE key = ? AND expires_at > ? AND stored_at <= ?",
                    arguments: [key, seconds, seconds + ClockSkew.tolerance])
            }
        }
        guard let json else { return nil }
        write { $0.note(used: [key]) }
        return ByteBuffer(bytes: json)
    }

    /// Stores JSON under a key; does nothing if the cache cannot be written.
    func keep(_ json: ByteBuffer, as key: String, for lifetime: Duration) async {
        let seconds = now
        try? await use(.written) { pool in
            try await pool.write { db in
                try db.execute(
                    sql: UnwrittenAnswers.insertion,
                    arguments: [
                        key, seconds + Int(lifetime.components.seconds), seconds, Data(json.readableBytesView),
                    ])
            }
        }
    }
}
