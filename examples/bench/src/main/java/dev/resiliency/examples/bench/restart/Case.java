package dev.resiliency.examples.bench.restart;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.resiliency.inprocess.Wrapper;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * What is varied.
 *
 * @param training what the ranks train
 * @param fault of one rank of the job
 * @param profile settings of the job
 * @param replace what takes the place of the rank
 * @param ranks number of ranks of the job
 */
record Case(String training, Fault fault, Profile profile, Replacement replace, int ranks) {
    private static final long STEP_MILLIS = 5;

    /** The fault of one rank of the job. */
    enum Fault {
        /** The function throws. */
        EXCEPTION(true, () -> {
            throw new IllegalStateException("injected");
        }),
        /** SIGKILL from outside. */
        KILL(false, null),
        /** The same of the rank that hosts the store, which the survivors have to found anew. */
        KILL_HOST(false, null),
        /** The function continues, but stops pinging. */
        STOP_PING(true, () -> {
            while (true) {
                Thread.sleep(STEP_MILLIS);
            }
        }),
        /** The function waits forever, until an interrupt ends it. */
        BLOCKED(true, () -> new CountDownLatch(1).await()),
        /** The function blocks forever in a read that only the end of the process ends. */
        BLOCKED_READ(false, () -> new ServerSocket(0, 1, InetAddress.getLoopbackAddress()).accept());

        private final boolean survived;

        @SuppressWarnings("ImmutableEnumChecker") // a lambda that captures nothing
        private final @Nullable Happening happening;

        Fault(boolean survived, @Nullable Happening happening) {
            this.survived = survived;
            this.happening = happening;
        }

        private interface Happening {
            void happen() throws Exception;
        }

        /** Happens, on the thread of the function. */
        void happen() throws Exception {
            requireNonNull(happening, "this fault comes from outside").happen();
        }

        /** Returns whether its rank takes part in the next iteration. */
        boolean isSurvived() {
            return survived;
        }

        /** Returns which rank it hits. */
        int victim() {
            return this == KILL_HOST ? 0 : 1;
        }

        /** Returns whether it comes from outside, and not from the function. */
        boolean isSignal() {
            return happening == null;
        }

        /** Returns the name on the command line, such as {@code stop-ping}. */
        @Override
        @JsonValue
        public String toString() {
            return optionOf(this);
        }
    }

    /** Settings of the job. */
    enum Profile {
        /** All defaults. */
        DEFAULT(Duration.ofSeconds(60), Duration.ofSeconds(90)),
        /** Does not wait for further faults, and detects hangs within a second or two. */
        TIGHT(Duration.ofSeconds(1), Duration.ofSeconds(2));

        private final Duration softTimeout;
        private final Duration hardTimeout;

        Profile(Duration softTimeout, Duration hardTimeout) {
            this.softTimeout = softTimeout;
            this.hardTimeout = hardTimeout;
        }

        Wrapper.Builder settings() {
            if (this == DEFAULT) {
                return Wrapper.builder();
            }
            Duration often = Duration.ofMillis(50);
            return Wrapper.builder()
                    .lastCallWait(Duration.ZERO)
                    .terminationGraceTime(Duration.ZERO)
                    .softTimeout(softTimeout)
                    .hardTimeout(hardTimeout)
                    .progressWatchdogInterval(often)
                    .monitorProcessInterval(often);
        }

        @Override
        @JsonValue
        public String toString() {
            return optionOf(this);
        }
    }

    /** What takes the place of the rank that a fault costs. */
    enum Replacement {
        /** Nothing: the world stays smaller. */
        NONE,
        /** A second process of the rank, started before the fault, which waits as a reserve. */
        SPARE,
        /** A new process of the rank, started when the old one has ended, as a supervisor does. */
        FRESH;

        @Override
        @JsonValue
        public String toString() {
            return optionOf(this);
        }
    }

    private static String optionOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the minimum time until the job can detect the fault. */
    Duration silence() {
        return switch (fault) {
            case EXCEPTION, KILL, KILL_HOST -> Duration.ZERO;
            case STOP_PING, BLOCKED -> profile.softTimeout;
            case BLOCKED_READ -> profile.hardTimeout;
        };
    }

    /** Returns the upper limit of the median overhead in a job of 8 ranks. */
    int goalMillis() {
        return switch (fault) {
            case EXCEPTION -> profile == Profile.TIGHT ? 25 : 50;
            case KILL -> profile == Profile.TIGHT ? 30 : 60;
            case STOP_PING, BLOCKED -> 60;
            case BLOCKED_READ, KILL_HOST -> 150;
        };
    }

    /** Returns the name of its runs. */
    @Override
    public String toString() {
        return "%s %s %s %s".formatted(training, fault, profile, replace);
    }
}
