import JSONRPC
import Logging
import NIOCore
import Observability

/// Events as JSON, each made once for all who want it in the same way.
struct EventTexts {
    private struct Key: Hashable {
        var number: Int
        var level: Logger.Level?
    }

    private var texts: [Key: ByteBuffer] = [:]

    /// The event of an entry; nil when JSON cannot express it.
    mutating func text(of entry: TailEntry, number: Int, level: Logger.Level?) -> ByteBuffer? {
        let key = Key(number: number, level: level)
        if let text = texts[key] { return text }
        let text = try? BodyCoding.encode(TailEvent(entry, level: level))
        texts[key] = text
        return text
    }
}
