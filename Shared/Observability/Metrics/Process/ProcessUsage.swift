import Foundation

/// What the kernel says of this process (proc(5)).
struct ProcessUsage {
    private static let pageBytes = Double(sysconf(Int32(_SC_PAGESIZE)))
    private static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))

    /// Resident and virtual memory, in bytes.
    static var memory: (resident: Double, virtual: Double)? {
        guard let fields = words(of: "/proc/self/statm"), fields.count > 1, let virtual = Double(fields[0]),
            let resident = Double(fields[1])
        else { return nil }
        return (resident * pageBytes, virtual * pageBytes)
    }

    /// CPU time in user and kernel, in seconds.
    static var cpuSeconds: Double? {
        guard let user = status(11), let system = status(12) else { return nil }
        return (user + system) / ticksPerSecond
    }

    static var threads: Double? { status(17) }

    /// When the process began, in seconds since 1970.
    static var startTime: Double? {
        guard let ticks = status(19), let lines = text(of: "/proc/stat")?.split(separator: "\n"),
            let boot = lines.first(where: { $0.hasPrefix("btime ") })?.split(separator: " ").last.flatMap({ Double($0) }
            )
        else { return nil }
        return boot + ticks / ticksPerSecond
    }

    /// Open descriptors. Linux gives the number as the directory's size from 6.2 on; before that they have to be listed.
    static var openDescriptors: Double? {
        var status = stat()
        if stat("/proc/self/fd", &status) == 0, status.st_size > 0 { return Double(status.st_size) }
        return (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count) }
    }

    /// How many descriptors may be open (`RLIMIT_NOFILE`, soft).
    static var descriptorLimit: Double? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Double(limit.rlim_cur)
    }

    /// A field of `/proc/self/stat`, counted from the one after the program's name, which may hold spaces.
    private static func status(_ field: Int) -> Double? {
        guard let text = text(of: "/proc/self/stat"), let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.indices.contains(field) ? Double(fields[field]) : nil
    }

    private static func words(of path: String) -> [Substring]? {
        text(of: path)?.split(whereSeparator: \.isWhitespace)
    }

    /// A file of the kernel's, which has no size to go by.
    private static func text(of path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path), let bytes = try? file.readToEnd() else { return nil }
        return String(bytes: bytes, encoding: .utf8)
    }
}
