package dev.resiliency.examples.xgboost;

import dev.resiliency.examples.demo.DemoCommand;
import dev.resiliency.examples.fault.FaultKindsInHelp;
import dev.resiliency.examples.job.Program;
import dev.resiliency.examples.job.WorkDirectory;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultKind;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code xgboost.sh}: the demo with trees that XGBoost boosts. */
@Command(
        name = "xgboost",
        sortOptions = false,
        modelTransformer = FaultKindsInHelp.class,
        customSynopsis = {
            "xgboost.sh [--ranks N] [--active N] [--steps N] [--replace]",
            "                  [--fault KIND:RANK@STEP]... [--fault kill:all@STEP]...",
            "                  [--no-faults] [--json FILE] [--plain]"
        },
        descriptionHeading = "%n",
        description = {
            "Boosts trees on handwritten digits with XGBoost4J, on several ranks, each a process of its own; a step is a round of"
                    + " boosting. While they train, one rank throws an exception, one is killed, and one is suspended; the"
                    + " others go on with the model that they have in memory, in the same processes. The last line is the"
                    + " digest of the model.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xgboost.sh                           4 ranks, an exception, a kill, a SIGSTOP",
            "  xgboost.sh --no-faults               the same without any fault: the same digest",
            "  xgboost.sh --replace --steps 400     the ranks that are lost come back",
            "  xgboost.sh --steps 200 --fault kill:all@120",
            "                                       all ranks die; the training goes on from",
            "                                       the last checkpoint",
        })
public final class XGBoostCommand extends DemoCommand {
    private @Nullable Path model;

    /** Trees learn as much in fewer steps, which take longer. */
    public XGBoostCommand() {
        super(100);
    }

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new XGBoostCommand(), arguments);
    }

    @Override
    @SuppressWarnings("SystemOut") // a program
    public Integer call() throws IOException, InterruptedException {
        try (WorkDirectory directory = new WorkDirectory("resiliency-xgboost-")) {
            model = directory.path().resolve("model.ubj");
            int exitCode = super.call();
            if (exitCode == 0) {
                System.out.println("The model has the digest " + digest(model));
            }
            return exitCode;
        }
    }

    private static String digest(Path file) throws IOException {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)), 0, 8);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    @Override
    protected ProcessJob.Builder ranks(Path directory) {
        return ProcessJob.builder(XGBoostRankCommand.class, directory)
                .arguments("--model=" + model)
                .environment("OMP_NUM_THREADS", "1");
    }

    @Override
    protected List<Fault> defaultFaults(int training) {
        return List.of(at(0.2, FaultKind.EXCEPTION, 2), at(0.3, FaultKind.SIGKILL, 1), at(0.4, FaultKind.SIGSTOP, 3));
    }
}
