package dev.resiliency.examples.demo;

import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultInjector;
import dev.resiliency.testing.FaultKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Injects the faults of one process: those of its {@code RANK}, whatever number the job has given it, and those of all ranks.
 * Each happens once in a job: a file keeps processes that are started later from repeating it. Delays count from the first step of
 * the process. Confined to the thread that trains.
 */
final class RankFaults {
    private final Path directory;
    private final List<TrainingFault> faults;
    private final Consumer<TrainingFault> announce;
    private @Nullable FaultInjector injector; // from the first step on

    /**
     * Creates the faults of a rank.
     *
     * @param directory of the job
     * @param announce called just before each fault; after a fault of all ranks, this one waits to be killed
     */
    RankFaults(int rank, List<TrainingFault> ofJob, Path directory, Consumer<TrainingFault> announce) {
        this.directory = directory;
        this.announce = announce;
        faults = ofJob.stream()
                .filter(fault -> fault.rank() == rank || fault.hitsAll())
                .filter(fault -> !Files.exists(file(fault)))
                .toList();
    }

    /** Injects what is due at the beginning of a step. */
    void stepStarts(CallWrapper call, int step) throws IOException, InterruptedException {
        if (injector == null) {
            injector = injector(call.state().initialRank());
        }
        injector.stepStarts(call, step);
    }

    /** The injector knows a process by the number that the job has given it; everybody else knows it by its rank. */
    private FaultInjector injector(int number) {
        List<Fault> own = faults.stream()
                .map(fault ->
                        new Fault(fault.hitsAll() ? FaultKind.SLEEP_FOREVER : fault.kind(), number, fault.moment()))
                .toList();
        return new FaultInjector(own, due -> happens(faults.get(own.indexOf(due))));
    }

    private void happens(TrainingFault fault) {
        try {
            Files.createFile(file(fault));
            announce.accept(fault);
        } catch (FileAlreadyExistsException e) {
            // Of all ranks, another one was the first.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file(TrainingFault fault) {
        return directory.resolve("happened-" + fault.toString().replace(':', '-'));
    }
}
