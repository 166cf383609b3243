import Foundation

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
    print("usage: import-fuzz [--inputs N] [--seed S] [--stage NAME]")
    exit(64)
}
var run = FuzzRun(options)
run.run()
print(run.account)
exit(run.failures == 0 ? 0 : 1)
