import Foundation

extension MetricRegistry {
    /// Declares the metrics that every process has: its version and, under the names that Prometheus client libraries use, its resources.
    ///
    /// - Parameter version: The version of the program.
    package func declareProcess(version: String) {
        families("bookstrack_build_info") {
            [
                MetricFamily(
                    .gauge, "bookstrack_build_info", help: "Always 1, labeled with the program's version.",
                    [(labels: [Sample.Label("version", version)], value: 1)])
            ]
        }
        let started = ProcessUsage.startTime
        gauge("process_start_time_seconds", help: "When the process started, in Unix time.") { started }
        families("process_resident_memory_bytes", "process_virtual_memory_bytes") {
            guard let memory = ProcessUsage.memory else { return [] }
            return [
                MetricFamily(
                    .gauge, "process_resident_memory_bytes", help: "Resident memory of the process.",
                    value: memory.resident),
                MetricFamily(
                    .gauge, "process_virtual_memory_bytes", help: "Virtual memory of the process.",
                    value: memory.virtual),
            ]
        }
        families("process_cpu_seconds_total") {
            guard let seconds = ProcessUsage.cpuSeconds else { return [] }
            return [
                MetricFamily(
                    .counter, "process_cpu_seconds_total", help: "User and system CPU time of the process.",
                    value: seconds)
            ]
        }
        gauge("process_threads", help: "Number of threads.") { ProcessUsage.threads }
        gauge("process_open_fds", help: "Number of open file descriptors.") { ProcessUsage.openDescriptors }
        gauge("process_max_fds", help: "Maximum number of open file descriptors.") {
            ProcessUsage.descriptorLimit.map(Double.init)
        }
    }
}

/// The process's resource usage according to the kernel (proc(5)); a value that cannot be read is nil.
package enum ProcessUsage {
    private static let pageBytes = Double(sysconf(Int32(_SC_PAGESIZE)))

    /// Resident and virtual memory, in bytes.
    static var memory: (resident: Double, virtual: Double)? {
        guard let fields = words(of: "/proc/self/statm"), fields.count > 1, let virtual = Double(fields[0]),
            let resident = Double(fields[1])
        else { return nil }
        return (resident * pageBytes, virtual * pageBytes)
    }

    /// User and system CPU time in seconds.
    static var cpuSeconds: Double? { ProcessStat.current?.processorTime.map { $0 / .seconds(1) } }

    static var threads: Double? { ProcessStat.current?.threads.map(Double.init) }

    /// Start of the process, in seconds since 1970.
    static var startTime: Double? {
        ProcessStat.current?.age.map { Date().timeIntervalSince1970 - $0 / .seconds(1) }
    }

    /// Number of open descriptors. Since Linux 6.2, this is the size of the descriptor directory; on earlier versions, the directory is listed.
    static var openDescriptors: Double? {
        var status = stat()
        if stat("/proc/self/fd", &status) == 0, status.st_size > 0 { return Double(status.st_size) }
        return (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count) }
    }

    /// Maximum number of open descriptors (`RLIMIT_NOFILE`, soft).
    package static var descriptorLimit: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(clamping: limit.rlim_cur)
    }

    private static func words(of path: String) -> [Substring]? {
        text(of: path)?.split(whereSeparator: \.isWhitespace)
    }

    /// Reads a file in `/proc`, whose size is unknown before it is read; nil if that fails.
    fileprivate static func text(of path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path), let bytes = try? file.readToEnd() else { return nil }
        return String(bytes: bytes, encoding: .utf8)
    }
}

/// The process's `/proc/self/stat` (proc_pid_stat(5)); readable even if a sandbox hides the files in `/proc` that are not about processes, as
/// systemd's `ProcSubset=pid` does. A value that is missing is nil.
package struct ProcessStat {
    /// The fields from the third on. The third is a letter, the others are numbers.
    private let fields: [Substring]

    /// The current values; nil if the file cannot be read.
    package static var current: ProcessStat? { ProcessUsage.text(of: "/proc/self/stat").flatMap(ProcessStat.init) }

    /// Parses the content of the file; nil if it has no second field. The second field is the program's name in parentheses, which may itself contain
    /// spaces and parentheses.
    init?(_ text: String) {
        guard let end = text.lastIndex(of: ")") else { return nil }
        fields = text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
    }

    /// User and system CPU time.
    var processorTime: Duration? {
        guard let user = number(14), let system = number(15) else { return nil }
        return Self.duration(ticks: user + system)
    }

    var threads: Int64? { number(20) }

    /// Time from the machine's boot to the start of the process, with the resolution of a kernel clock tick, usually a hundredth of a second.
    var start: Duration? { number(22).map(Self.duration) }

    /// The time since the process started, including time during which the machine was suspended.
    package var age: Duration? {
        guard let start else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return max(.zero, .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec) - start)
    }

    /// A field, by its number in the manual page; nil if it is missing or not a number.
    private func number(_ field: Int) -> Int64? {
        fields.indices.contains(field - 3) ? Int64(fields[field - 3]) : nil
    }

    private static func duration(ticks: Int64) -> Duration {
        .nanoseconds(ticks * (1_000_000_000 / Int64(sysconf(CInt(_SC_CLK_TCK)))))
    }
}
