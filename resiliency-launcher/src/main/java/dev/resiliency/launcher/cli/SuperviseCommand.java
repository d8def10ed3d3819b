package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.Backoff;
import dev.resiliency.launcher.RestartBudget;
import dev.resiliency.launcher.Supervisor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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

    @Option(
            names = "--max-restarts",
            paramLabel = "N",
            defaultValue = "10",
            description = "How often the command is started again; ${DEFAULT-VALUE} by default.")
    private int maxRestarts;

    @Option(
            names = "--restart-window",
            paramLabel = "TIME",
            defaultValue = "1h",
            converter = WindowConverter.class,
            description = "Restarts longer ago than this no longer count, or 'forever' if all count;"
                    + " ${DEFAULT-VALUE} by default.")
    private Window window = Window.FOREVER;

    @Option(
            names = "--backoff",
            paramLabel = "MIN:MAX",
            defaultValue = "1s:60s",
            converter = BackoffConverter.class,
            description =
                    "How long to wait before a restart: MIN at first, twice as long after each failure in a row, MAX at"
                            + " most; ${DEFAULT-VALUE} by default.")
    private Backoff backoff = Backoff.defaults();

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description =
                    "How long the command may take to end after a signal, before it is killed; ${DEFAULT-VALUE} by"
                            + " default.")
    private Duration grace = Duration.ZERO;

    @Option(
            names = "--startup-time",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "A command that fails within this time has failed at start-up; ${DEFAULT-VALUE} by default.")
    private Duration startupTime = Duration.ZERO;

    @Option(
            names = "--max-startup-failures",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "So many failures at start-up in a row end the supervision, 0 for no limit; ${DEFAULT-VALUE} by"
                            + " default.")
    private int maxStartupFailures;

    @Option(
            names = "--run-dir",
            paramLabel = "DIRECTORY",
            description = "Where supervisors note their processes, so that the next one ends what a killed one has left"
                    + " behind; $XDG_RUNTIME_DIR/resiliency or /tmp/resiliency-USER by default.")
    private @Nullable Path runDirectory;

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The command and its arguments.")
    private List<String> command = List.of();

    @Override
    public Integer call() throws InterruptedException {
        return supervisor().run(command);
    }

    private Supervisor supervisor() {
        try {
            Supervisor.Builder builder = Supervisor.builder()
                    .budget(new RestartBudget(maxRestarts, window.length()))
                    .backoff(backoff)
                    .grace(grace)
                    .startup(startupTime, maxStartupFailures);
            return (runDirectory == null ? builder : builder.runDirectory(runDirectory)).build();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
