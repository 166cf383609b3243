/// Something that measures, and can be read at any time from any thread.
package protocol Instrument: AnyObject, Sendable {
    /// What it shows now.
    var reading: Reading { get }
}
