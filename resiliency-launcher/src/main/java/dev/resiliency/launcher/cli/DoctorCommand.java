package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.health.Finding;
import dev.resiliency.launcher.health.Finding.Severity;
import dev.resiliency.launcher.health.HostChecks;
import dev.resiliency.launcher.process.NumaBinding;
import dev.resiliency.store.spi.StoreAddress;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code resiliency doctor}. */
@Command(
        name = "doctor",
        description = {"Says what is missing on this host, before a job finds out. Changes nothing.", ""},
        mixinStandardHelpOptions = true,
        customSynopsis = "resiliency doctor [OPTION]... [--] [COMMAND [ARGUMENT]...]",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:a job can run here, perhaps with warnings",
            "1:a job cannot run here",
            "2:invalid command line"
        },
        footer = {
            "",
            "Examples:",
            "  resiliency doctor",
            "  resiliency doctor --rdzv-endpoint host0:29400 --nproc-per-node 8 -- java -jar train.jar",
            "  srun --ntasks-per-node=1 resiliency doctor --rdzv-endpoint host0:29400"
        })
final class DoctorCommand implements Callable<Integer> {
    private static final Map<Severity, String> WORDS =
            Map.of(Severity.OK, "ok", Severity.WARNING, "warning", Severity.FAILURE, "FAILED");

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Option(
            names = "--rdzv-endpoint",
            paramLabel = "HOST[:PORT]",
            converter = AddressConverter.class,
            description = "Check that the store there can be reached, or hosted here; port 29400 by default.")
    private @Nullable StoreAddress endpoint;

    @Option(
            names = "--nproc-per-node",
            paramLabel = "N",
            defaultValue = "1",
            converter = ProcessCount.class,
            description = "The number of ranks on this host, as for 'run'; ${DEFAULT-VALUE} by default.")
    private Integer ranks = 1;

    @Mixin
    private HealthOptions health = new HealthOptions();

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "Check that this program can be executed.")
    private List<String> command = List.of();

    @Override
    public Integer call() throws InterruptedException {
        HostChecks checks = new HostChecks(System.getenv().getOrDefault("PATH", ""));
        if (endpoint != null) {
            checks.store(endpoint.host(), endpoint.port());
        }
        String gpusPerNode = System.getenv(NumaBinding.VARIABLE);
        if (gpusPerNode != null) {
            addNuma(checks, gpusPerNode);
        }
        if (!command.isEmpty()) {
            checks.command(command.get(0));
        }
        addNode(checks);
        List<Finding> findings = checks.run();
        print(findings);
        return count(findings, Severity.FAILURE) == 0 ? ExitCode.COMPLETED : ExitCode.FAILED;
    }

    private void addNode(HostChecks checks) {
        try {
            checks.node(
                    health.settings().build(),
                    endpoint == null ? null : endpoint.host(),
                    endpoint == null ? 0 : endpoint.port());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private void addNuma(HostChecks checks, String gpusPerNode) {
        try {
            checks.numa(JobVariables.number(NumaBinding.VARIABLE, gpusPerNode), ranks);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private void print(List<Finding> findings) {
        PrintWriter out = spec.commandLine().getOut();
        for (Finding finding : findings) {
            out.printf("%-8s %-12s %s%n", WORDS.get(finding.severity()), finding.subject(), finding.text());
        }
        out.printf("%d warnings, %d failures%n", count(findings, Severity.WARNING), count(findings, Severity.FAILURE));
        out.flush();
    }

    private static long count(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }
}
