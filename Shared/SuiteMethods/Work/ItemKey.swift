package import BookstrackContract
import JSONRPC
import NIOCore

/// Names one item of one job.
package struct ItemKey: Codable, Sendable, Hashable {
    /// The job.
    package var jobId: JobID
    /// Place in the job's input, from 0.
    package var index: Int

    package init(jobId: JobID, index: Int) {
        self.jobId = jobId
        self.index = index
    }

    /// Reads what is encoded, by hand; nil when it has another shape.
    init?(_ json: ByteBuffer) {
        guard let members = ObjectReader(json), let jobId = members.string("jobId").flatMap({ JobID($0) }),
            let index = members.integer("index")
        else { return nil }
        self.init(jobId: jobId, index: index)
    }
}
