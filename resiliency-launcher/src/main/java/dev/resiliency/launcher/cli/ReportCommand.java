package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.attribution.CycleReport;
import dev.resiliency.launcher.attribution.ReportPage;
import dev.resiliency.launcher.attribution.ReportStore;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.guard.Printable;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code resiliency report}. */
@Command(
        name = "report",
        description = {
            "Prints why a job was interrupted: what failed first, by which evidence, who only followed, and what to do. Without a"
                    + " number, all reports that the store keeps, a line each, and the last one in full.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ReportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Mixin
    private JobOptions job = new JobOptions();

    @Option(names = "--json", description = "Print JSON: a report per line.")
    private boolean isJson;

    @Parameters(arity = "0..1", paramLabel = "N", description = "The number of a report.")
    private @Nullable Long number;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        job.with(control -> print(new ReportStore(control.store()).reports(), out));
        out.flush();
        return ExitCode.COMPLETED;
    }

    private void print(List<CycleReport> all, PrintWriter out) {
        Long wanted = number;
        List<CycleReport> chosen = wanted == null
                ? all
                : all.stream().filter(report -> report.number() == wanted).toList();
        if (wanted != null && chosen.isEmpty()) {
            throw new StoreException("there is no report %d of job '%s': %s"
                    .formatted(
                            wanted,
                            job.name(),
                            all.isEmpty()
                                    ? "nothing has failed"
                                    : "the store keeps %d to %d"
                                            .formatted(
                                                    all.get(0).number(),
                                                    all.get(all.size() - 1).number())));
        }
        if (isJson) {
            chosen.forEach(report -> out.println(report.json()));
            return;
        }
        if (chosen.isEmpty()) {
            out.println("nothing has failed");
            return;
        }
        if (wanted == null) {
            chosen.forEach(report -> out.println(Printable.of(report.line())));
            out.println();
        }
        ReportPage.of(chosen.get(chosen.size() - 1)).forEach(out::println);
    }
}
