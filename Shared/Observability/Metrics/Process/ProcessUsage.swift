import Foundation

/// What the kernel says of this process (proc(5)).
package enum ProcessUsage {
    private static let pageBytes = Double(sysconf(Int32(_SC_PAGESIZE)))

    /// Resident and virtual memory, in bytes.
    static var memory: (resident: Double, virtual: Double)? {
        guard let fields = words(of: "/proc/self/statm"), fields.count > 1, let virtual = Double(fields[0]),
            let resident = Double(fields[1])
        else { return nil }
        return (resident * pageBytes, virtual * pageBytes)
    }

    /// CPU time in user and kernel, in seconds.
    static var cpuSeconds: Double? { ProcessStat.current?.processorTime.map { $0 / .seconds(1) } }

    static var threads: Double? { ProcessStat.current?.threads.map(Double.init) }

    /// When the process began, in seconds since 1970.
    static var startTime: Double? {
        ProcessStat.current?.age.map { Date().timeIntervalSince1970 - $0 / .seconds(1) }
    }

    /// Open descriptors. Linux gives the number as the directory's size from 6.2 on; before that they have to be listed.
    static var openDescriptors: Double? {
        var status = stat()
        if stat("/proc/self/fd", &status) == 0, status.st_size > 0 { return Double(status.st_size) }
        return (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count) }
    }

    /// How many descriptors may be open (`RLIMIT_NOFILE`, soft).
    package static var descriptorLimit: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(clamping: limit.rlim_cur)
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
