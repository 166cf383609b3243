public import ArgumentParser
public import Logging

/// Read by its name, "warning".
extension Logger.Level: @retroactive ExpressibleByArgument {}
