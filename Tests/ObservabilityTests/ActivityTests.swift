import Logging
import Testing

@testable import Observability

@Suite("Activities")
struct ActivityTests {
    private struct Failure: Error {}

    private func line(_ number: Int) -> LoggedLine {
        LoggedLine(time: Int64(number), level: .info, message: "\(number)", metadata: [:])
    }

    @Test("an activity keeps its first 64 log lines and counts the others")
    func manyLines() {
        let activity = Activity(TraceContext())
        for number in 0..<100 { activity.note(line(number)) }
        #expect(activity.noted.lines.map(\.message) == (0..<64).map(String.init))
        #expect(activity.noted.dropped == 36)
    }

    @Test("an activity keeps its first 64 errors and counts the others, separately from its log lines")
    func manyErrors() {
        let activity = Activity(TraceContext())
        activity.note(line(0))
        for _ in 0..<65 { activity.note(Failure()) }
        #expect(activity.noted.exceptions.count == 64)
        #expect(activity.noted.dropped == 1)
        #expect(activity.noted.lines.count == 1)
    }

    @Test("an activity records nothing after its end, so its event is final")
    func ended() {
        let activity = Activity(TraceContext())
        activity.note(line(0))
        let entry = TailEntry(.rpc(.init(method: "m", peerPID: 1, code: nil)), of: activity, .ok)
        activity.note(line(1))
        activity.note(Failure())
        #expect(activity.noted.lines.count == 1)
        #expect(activity.noted.exceptions.isEmpty)
        #expect(entry.outcome == .ok)
    }

    @Test("an activity belongs to the job that it was started with, or to the job that was set last")
    func jobs() {
        let activity = Activity(TraceContext(), jobID: "a")
        #expect(activity.jobID == "a")
        activity.concern(job: "b")
        #expect(activity.jobID == "b")
        #expect(Activity(TraceContext()).jobID == nil)
    }

    @Test("child tasks inherit the current activity, and detached tasks do not")
    func current() async {
        let activity = Activity(TraceContext())
        #expect(Activity.current == nil)
        await Activity.$current.withValue(activity) {
            #expect(Activity.current === activity)
            async let inner = Activity.current
            #expect(await inner === activity)
            await Task.detached { #expect(Activity.current == nil) }.value
        }
        #expect(Activity.current == nil)
    }

    @Test("an activity records an error with its type's name and its description")
    func exceptions() {
        enum Trouble: Error { case tooLarge(limit: Int) }
        let noted = NotedException(Trouble.tooLarge(limit: 5), time: 9)
        #expect(noted.name == "Trouble")
        #expect(noted.message == "tooLarge(limit: 5)")
        #expect(noted.time == 9)
    }

    @Test(
        "a duration is reported in whole milliseconds, rounded toward zero",
        arguments: [
            (Duration.zero, 0), (.milliseconds(1), 1), (.microseconds(1_999), 1), (.seconds(2), 2_000),
            (.microseconds(-1_500), -1), (.seconds(86_400), 86_400_000),
        ] as [(Duration, Int64)])
    func milliseconds(duration: Duration, milliseconds: Int64) {
        #expect(duration.milliseconds == milliseconds)
    }

    @Test("the end of a tail entry is its start plus its duration, and a job step has no duration")
    func ends() {
        var entry = TailEntry(.init(.accepted), job: nil, nil, at: 1_000)
        #expect(entry.endedAt == 1_000)
        entry.duration = .milliseconds(250)
        #expect(entry.endedAt == 1_250)
    }
}
