package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.Supervisor;
import dev.resiliency.launcher.process.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code resiliency supervise}. */
@Command(
        name = "supervise",
        description = {
            "Runs a command, and runs it again when it fails. The command ends with its supervisor, even if that is killed.",
            ""
        },
        mixinStandardHelpOptions = true,
        customSynopsis = "resiliency supervise [OPTION]... [--] COMMAND [ARGUMENT]...",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the command has completed",
            "2:invalid command line",
            "93:not started again: the restarts are spent, the command asks for it (93, or 130 of RestartAbort), or it fails"
                    + " at start-up again and again",
            "94:passed on: this host is to be replaced",
            "126, 127:the command cannot be executed, or does not exist; it is not tried again",
            "129, 130, 143:SIGHUP, SIGINT or SIGTERM has ended the supervisor and the command"
        },
        footer = {
            "",
            "A TIME is in seconds, or has a unit: 500ms, 30s, 10m, 2h.",
            "",
            "SIGTERM, SIGHUP and Ctrl-C are passed on; a second one kills the command at once.",
            "",
            "Examples:",
            "  RANK=0 WORLD_SIZE=2 resiliency supervise -- java -jar train.jar",
            "  resiliency supervise --max-restarts 3 --restart-window forever -- ./train.sh --epochs 10",
            "  resiliency supervise --backoff 0s:30s --grace 2m -- java -Xmx8g -cp 'lib/*' Train"
        })
final class SuperviseCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Mixin
    private RestartOptions restarts = new RestartOptions();

    @Option(
            names = "--clean-exit-codes",
            paramLabel = "CODE",
            split = ",",
            defaultValue = "0,93,130",
            description =
                    "The exit codes after which the command is not started again, separated by commas; ${DEFAULT-VALUE} by default. The supervisor exits with them, too; with 93 for 130.")
    private Set<Integer> cleanExitCodes = Verdict.CLEAN_EXIT_CODES;

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The command and its arguments.")
    private List<String> command = List.of();

    @Override
    public Integer call() throws InterruptedException {
        return supervisor().run(command);
    }

    Supervisor supervisor() {
        try {
            Supervisor.Builder builder = Supervisor.builder()
                    .budget(restarts.budget())
                    .backoff(restarts.backoff())
                    .grace(restarts.grace())
                    .startup(restarts.startupTime(), restarts.maxStartupFailures())
                    .cleanExitCodes(cleanExitCodes);
            Path runDirectory = restarts.runDirectory();
            return (runDirectory == null ? builder : builder.runDirectory(runDirectory)).build();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
