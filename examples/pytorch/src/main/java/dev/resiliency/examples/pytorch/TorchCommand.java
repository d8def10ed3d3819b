package dev.resiliency.examples.pytorch;

import dev.resiliency.examples.demo.DemoCommand;
import dev.resiliency.examples.fault.FaultKindsInHelp;
import dev.resiliency.examples.job.Program;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultKind;
import dev.resiliency.testing.ProcessJob;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code pytorch.sh}: the demo with a network that PyTorch trains. */
@Command(
        name = "pytorch",
        sortOptions = false,
        modelTransformer = FaultKindsInHelp.class,
        customSynopsis = {
            "pytorch.sh [--ranks N] [--active N] [--steps N] [--no-reducer] [--replace]",
            "                  [--fault KIND:RANK@STEP]... [--fault kill:all@STEP]...",
            "                  [--no-faults] [--json FILE] [--plain]"
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

    /** A convolutional network learns as much in fewer steps, which take longer. */
    public TorchCommand() {
        super(800);
    }

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new TorchCommand(), arguments);
    }

    @Override
    protected ProcessJob.Builder ranks(Path directory) {
        return ProcessJob.builder(TorchRankCommand.class, directory)
                .arguments(noReducer ? new String[] {"--no-reducer"} : new String[0])
                .environment("GLOO_SOCKET_IFNAME", "lo")
                .environment("OMP_NUM_THREADS", "1")
                .javaOptions("-Dorg.bytedeco.javacpp.maxPhysicalBytes=0");
    }

    @Override
    protected List<Fault> defaultFaults(int training) {
        return List.of(at(0.3, FaultKind.EXCEPTION, 2), at(0.5, FaultKind.SIGKILL, 1), at(0.7, FaultKind.SIGSTOP, 3));
    }
}
