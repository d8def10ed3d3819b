package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.log.Terminal;
import dev.resiliency.launcher.rendezvous.JobControl;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.JobFeed;
import dev.resiliency.launcher.rendezvous.JobView;
import dev.resiliency.launcher.status.ActionToken;
import dev.resiliency.launcher.status.StatusServer;
import dev.resiliency.launcher.status.StatusTable;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.guard.Printable;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code resiliency status}. */
@Command(
        name = "status",
        description =
                "Shows the nodes of a job that 'resiliency run' has started, and what their ranks do: each rank of a small job,"
                        + " and in a large one those that do not run.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:shown; with --watch or --serve, the job has ended",
            "1:there is no such job; with --watch or --serve, its store was lost before it had ended",
            "2:invalid command line"
        },
        footer = {
            "",
            "Examples:",
            "  resiliency status --rdzv-endpoint host0:29400 --rdzv-id job7 --watch",
            "  resiliency status --rdzv-endpoint host0:29400 --rdzv-id job7 --serve 8080"
        })
final class StatusCommand implements Callable<Integer> {
    /** How often what changes is shown. */
    private static final Duration REFRESH = Duration.ofSeconds(1);

    private static final Duration PLAIN_REFRESH = Duration.ofSeconds(5);
    private static final String CLEAR = "\u001b[H\u001b[2J\u001b[3J";

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Mixin
    private JobOptions job = new JobOptions();

    @ArgGroup
    private @Nullable Mode mode;

    /** What to do other than to show the job once. */
    static final class Mode {
        @Option(
                names = {"-w", "--watch"},
                description =
                        "Go on until the job has ended: each second on a terminal, elsewhere when something has changed, every 5 s at most.")
        private boolean watches;

        @Option(
                names = "--serve",
                paramLabel = "PORT",
                description =
                        "Serve the status page and the metrics of the job on this host, at 127.0.0.1, until the job has ended; 0 for any free port.")
        private @Nullable Integer port;

        @Option(
                names = "--token",
                description =
                        "Print the token by which the status page may change the job. It follows from the secret of the store, in the file that RESILIENCY_STORE_SECRET_FILE names.")
        private boolean printsToken;
    }

    @Override
    public Integer call() throws InterruptedException {
        Mode wanted = mode == null ? new Mode() : mode;
        PrintWriter out = spec.commandLine().getOut();
        job.withSession(session -> {
            Integer port = wanted.port;
            if (port != null) {
                serve(session, port, out);
            } else if (wanted.printsToken) {
                out.println(token(session));
            } else if (wanted.watches) {
                job.control(session).status(); // or says that there is none
                watch(session, out);
            } else {
                JobControl control = job.control(session);
                StatusTable table = new StatusTable(job.name());
                table.update(control.view());
                table.lines(System.currentTimeMillis()).forEach(out::println);
                control.unhealthy()
                        .forEach((node, problem) ->
                                out.println(Printable.of("node %s is unhealthy: %s".formatted(node, problem))));
            }
        });
        out.flush();
        return ExitCode.COMPLETED;
    }

    private String token(SessionStore session) {
        SecretKey secret = session.secret();
        if (secret == null) {
            throw new StoreException("the store has no secret, so its status page changes nothing: use the commands");
        }
        return ActionToken.of(secret, job.name()).text();
    }

    private void serve(SessionStore session, int port, PrintWriter out) throws InterruptedException {
        job.control(session).status(); // or says that there is none
        try (StatusServer server =
                StatusServer.start(InetAddress.getLoopbackAddress(), port, session, job.name(), null)) {
            out.println("the status page of job %s is at %s".formatted(job.name(), server.url()));
            out.flush();
            server.awaitEnd();
        }
    }

    private void watch(SessionStore session, PrintWriter out) throws InterruptedException {
        boolean isTerminal = isTerminal();
        StatusTable table = new StatusTable(job.name());
        JobFeed feed = JobFeed.open(session, job.name());
        Duration refresh = isTerminal ? REFRESH : PLAIN_REFRESH;
        List<String> shown = List.of();
        long seen = 0;
        while (true) {
            boolean hasChanged = feed.awaitChange(seen, refresh);
            JobView view = feed.view(seen);
            seen = view.version();
            table.update(view);
            boolean hasEnded = view.events().stream().anyMatch(event -> event.kind() == JobEvent.Kind.JOB_ENDED);
            List<String> lines = table.lines(System.currentTimeMillis());
            if (isTerminal) {
                out.print(CLEAR);
            }
            if (isTerminal || hasEnded || (hasChanged && !lines.equals(shown))) {
                lines.forEach(out::println);
                out.println();
                out.flush();
                shown = lines;
            }
            if (hasEnded) {
                view.events().stream()
                        .map(EventsCommand::line)
                        .reduce((one, last) -> last)
                        .ifPresent(out::println);
                return;
            }
            if (view.lost() != null) {
                throw new StoreException("the store of the job is lost: " + view.lost());
            }
            Thread.sleep(refresh.toMillis());
        }
    }

    /** Returns whether output can be written over. */
    private static boolean isTerminal() {
        return Terminal.isOutput()
                && !System.getenv().getOrDefault("TERM", "dumb").equals("dumb");
    }
}
