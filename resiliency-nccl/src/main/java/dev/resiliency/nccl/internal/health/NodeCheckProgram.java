package dev.resiliency.nccl.internal.health;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.GpuException;
import dev.resiliency.nccl.GpuHealthChecks;
import dev.resiliency.nccl.GpuUnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * Checks all GPUs, their NVLinks, and the network links of this host on behalf of a launcher, which a driver in trouble must
 * neither hang nor crash. Uses NVML but not CUDA, so it takes no memory of the devices. What is up when the program starts must
 * stay up, and errors count from then on.
 *
 * <p>For each line of its standard input it checks once and prints one line: {@code answer ok: TEXT}, {@code answer unknown:
 * TEXT} if GPUs cannot be checked, or {@code answer failed: TEXT}. It ends with its input.
 *
 * <p>Threads: {@code resiliency-node-check}, one for each GPU or link that is checked.
 */
public final class NodeCheckProgram {
    /** These checks look at no state. */
    private static final State NONE = new State(0, 1, 0, 1, State.Mode.ACTIVE, 0, 1, 0);

    private final List<HealthCheck> checks = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "resiliency-node-check");
        thread.setDaemon(true);
        return thread;
    });
    private int gpus;
    private String unknown = "";

    /**
     * Finds what there is to check.
     *
     * @param sysfs {@code /sys}
     */
    NodeCheckProgram(Path sysfs) throws IOException, InterruptedException {
        checks.add(new NicHealthCheck(new NicLinks(sysfs)));
        try {
            for (ManagedDevice device : ManagedDevice.ofThisHost()) {
                add(device);
                gpus++;
            }
        } catch (GpuUnavailableException e) {
            unknown = String.valueOf(e.getMessage());
        }
    }

    /** A device that does not even answer at the start has failed for good. */
    private void add(ManagedDevice device) throws InterruptedException {
        try {
            checks.add(new GpuRecoveryHealthCheck(() -> device));
            checks.add(NvLinkHealthCheck.of(device, GpuHealthChecks.NVLINK_ERROR_LIMIT));
            checks.add(XidHealthCheck.of(device, GpuHealthChecks.XIDS_OF_PROGRAMS));
        } catch (GpuException e) {
            checks.add(state -> {
                throw e;
            });
        }
    }

    /** Serves its standard input; the argument replaces {@code /sys}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        NodeCheckProgram program = new NodeCheckProgram(Path.of(arguments.length == 0 ? "/sys" : arguments[0]));
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        while (questions.readLine() != null) {
            System.out.println("answer " + program.check());
        }
    }

    /** Runs all checks at once, as each may wait for a driver that does not answer. */
    String check() {
        List<CompletableFuture<Optional<String>>> running = checks.stream()
                .map(check -> CompletableFuture.supplyAsync(() -> fault(check), threads))
                .toList();
        List<String> faults = running.stream()
                .map(CompletableFuture::join)
                .flatMap(Optional::stream)
                .toList();
        if (!faults.isEmpty()) {
            return line(
                    "failed",
                    Stream.concat(faults.stream(), Stream.of(unknown).filter(text -> !text.isEmpty()))
                            .toList());
        }
        return unknown.isEmpty()
                ? line("ok", List.of("%d GPUs and the network links".formatted(gpus)))
                : line("unknown", List.of(unknown));
    }

    private static String line(String verdict, List<String> texts) {
        return verdict + ": " + String.join("; ", texts).replaceAll("\\R", " ");
    }

    private static Optional<String> fault(HealthCheck check) {
        try {
            check.check(NONE);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        } catch (Exception e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
