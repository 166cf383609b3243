import Foundation

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
    print("usage: json-fuzz [--inputs N] [--seed S]")
    exit(64)
}
var run = FuzzRun(options)
run.run()
print(run.account)
exit(run.disagreements == 0 ? 0 : 1)
