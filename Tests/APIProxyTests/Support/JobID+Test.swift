import BookstrackContract
import Testing

/// A job's identifier that the test wrote down.
func job(_ text: String) throws -> JobID { try #require(JobID(text)) }
