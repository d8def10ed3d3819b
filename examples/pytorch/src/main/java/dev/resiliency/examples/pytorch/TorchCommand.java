package dev.resiliency.examples.pytorch;

import dev.resiliency.examples.demo.DefaultSteps;
import dev.resiliency.examples.demo.DemoCommand;
import dev.resiliency.examples.demo.RankProgram;
import dev.resiliency.examples.fault.FaultKindsInHelp;
import dev.resiliency.examples.job.Program;
import dev.resiliency.testing.Fault;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code pytorch.sh}: the demo with a network that PyTorch trains. */
@Command(
        name = "pytorch",
        sortOptions = false,
        modelTransformer = FaultKindsInHelp.class,
        defaultValueProvider = TorchCommand.FewerSteps.class,
        customSynopsis = {
            "pytorch.sh [--ranks N] [--active N] [--steps N] [--no-reducer] [--replace]",
            "                  [--fault KIND:RANK@STEP]... [--fault kill:all@STEP]...",
            "                  [--no-faults] [--random-faults N] [--seed S]",
            "                  [--json FILE] [--plain]"
        },
        descriptionHeading = "%n",
        description = {
            "Trains a convolutional network on handwritten digits with PyTorch, on several ranks that Gloo connects, each a"
                    + " process of its own. While they train, one rank throws an exception, one is killed, and one is"
                    + " suspended; the others go on with what they have in memory, in the same processes.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  pytorch.sh                           4 ranks, an exception, a kill, a SIGSTOP",
            "  pytorch.sh --no-faults               the same without any fault",
            "  pytorch.sh --no-reducer              gradients are summed after backward()",
            "  pytorch.sh --replace --fault kill:1@400",
            "                                       the rank that is killed comes back",
        })
public final class TorchCommand extends DemoCommand {
    @Option(
            names = "--no-reducer",
            description = "Sum the gradients after backward() in one operation, instead of in buckets while it runs.")
    private boolean noReducer;

    /** For picocli. */
    public TorchCommand() {}

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new TorchCommand(), arguments);
    }

    @Override
    protected RankProgram program() {
        return new RankProgram(
                TorchRankCommand.class,
                noReducer ? List.of("--no-reducer") : List.of(),
                Map.of("GLOO_SOCKET_IFNAME", "lo", "OMP_NUM_THREADS", "1"),
                List.of("-Dorg.bytedeco.javacpp.maxPhysicalBytes=0"),
                line -> line.startsWith("[Gloo]"));
    }

    @Override
    protected Optional<List<Fault>> otherDefaultFaults(int training, int stepCount) {
        return Optional.of(oneOfEach(training, stepCount * 3 / 10, stepCount / 2, stepCount * 7 / 10));
    }

    /** A convolutional network learns as much in fewer steps, which take longer. */
    static final class FewerSteps extends DefaultSteps {
        FewerSteps() {
            super(800);
        }
    }
}
