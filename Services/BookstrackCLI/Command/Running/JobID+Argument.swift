public import ArgumentParser
public import BookstrackContract

extension JobID: ExpressibleByArgument {
    /// Reads a job's identifier from the command line.
    public init?(argument: String) { self.init(argument) }
}
