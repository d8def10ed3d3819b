package dev.resiliency.launcher.cli;

import dev.resiliency.inprocess.spi.refound.SeatDial;
import dev.resiliency.launcher.rendezvous.EventFollower;
import dev.resiliency.launcher.rendezvous.JobControl;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.JobPlace;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which job a command is about. */
final class JobOptions {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String SESSION = "control";

    @Option(
            names = "--rdzv-endpoint",
            paramLabel = "HOST[:PORT]",
            defaultValue = "127.0.0.1",
            converter = AddressConverter.class,
            description =
                    "Where the store of the job is, or an agent that says where it has moved; 127.0.0.1:29400 by default.")
    private StoreAddress endpoint = new StoreAddress("127.0.0.1", 0, "");

    @Option(
            names = "--rdzv-id",
            paramLabel = "NAME",
            description = "The name of the job; by default that of RESILIENCY_JOB_ID, Slurm or torchrun, or 'default'.")
    private @Nullable String jobId;

    /** What to do with a job. */
    @FunctionalInterface
    interface Task {
        /** Does it. */
        void accept(JobControl control) throws InterruptedException;
    }

    /** Returns the name of the job. */
    String name() {
        return jobId == null ? JobVariables.jobId(System.getenv()) : jobId;
    }

    /** What to do with a session of the job's store. */
    @FunctionalInterface
    interface SessionTask {
        /** Does it. */
        void accept(SessionStore session) throws InterruptedException;
    }

    /** Does something with the job. */
    void with(Task task) throws InterruptedException {
        withSession(session -> task.accept(control(session)));
    }

    /** Returns the control of the job. */
    JobControl control(SessionStore session) {
        return new JobControl(session, name());
    }

    /** Does something with a session of the store on which the job lives now. */
    void withSession(SessionTask task) throws InterruptedException {
        try (SessionStore store = JobPlace.connect(endpoint, name(), SESSION, LIMIT)) {
            task.accept(store);
        }
    }

    /** Passes on the events of the job until its end, wherever it moves. */
    void follow(Consumer<? super JobEvent> listener) throws InterruptedException {
        EventFollower follower = new EventFollower(name(), SeatDial.of("", SESSION, store -> {}), listener);
        withSession(follower::follow);
    }
}
