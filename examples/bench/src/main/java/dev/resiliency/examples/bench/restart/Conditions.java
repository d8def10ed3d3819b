package dev.resiliency.examples.bench.restart;

import dev.resiliency.inprocess.Wrapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/** What is varied: the fault of one rank of the job, the settings of the job, and what replaces the rank. */
final class Conditions {
    private static final long STEP_MILLIS = 5;

    private Conditions() {}

    /** The fault of one rank of the job. */
    enum BenchFault {
        /** The function throws. */
        EXCEPTION(true) {
            @Override
            void happen() {
                throw new IllegalStateException("injected");
            }
        },
        /** SIGKILL from outside. */
        KILL(false) {
            @Override
            void happen() {
                throw new IllegalStateException("this fault comes from outside");
            }
        },
        /** The same of the rank that hosts the store, which the survivors have to found anew. */
        KILL_HOST(false) {
            @Override
            void happen() {
                throw new IllegalStateException("this fault comes from outside");
            }
        },
        /** The function continues, but stops pinging. */
        STOP_PING(true) {
            @Override
            void happen() throws InterruptedException {
                while (true) {
                    Thread.sleep(STEP_MILLIS);
                }
            }
        },
        /** The function waits forever, until an interrupt ends it. */
        BLOCKED(true) {
            @Override
            void happen() throws InterruptedException {
                new CountDownLatch(1).await();
            }
        },
        /** The function blocks forever in a read that only the end of the process ends. */
        BLOCKED_READ(false) {
            @Override
            void happen() throws IOException {
                new ServerSocket(0, 1, InetAddress.getLoopbackAddress()).accept();
            }
        };

        private final boolean survived;

        BenchFault(boolean survived) {
            this.survived = survived;
        }

        /** Happens, on the thread of the function. Each has a class of its own, whose loading is not measured. */
        abstract void happen() throws Exception;

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
            return this == KILL || this == KILL_HOST;
        }

        /** Returns the name on the command line, such as {@code stop-ping}. */
        @Override
        public String toString() {
            return optionOf(this);
        }
    }

    /** Settings of the job. */
    enum BenchProfile {
        /** All defaults. */
        DEFAULT(Duration.ofSeconds(60), Duration.ofSeconds(90)),
        /** Does not wait for further faults, and detects hangs within a second or two. */
        TIGHT(Duration.ofSeconds(1), Duration.ofSeconds(2));

        private final Duration softTimeout;
        private final Duration hardTimeout;

        BenchProfile(Duration softTimeout, Duration hardTimeout) {
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

        /** Returns the minimum time until the job can detect a fault. */
        Duration silence(BenchFault fault) {
            return switch (fault) {
                case EXCEPTION, KILL, KILL_HOST -> Duration.ZERO;
                case STOP_PING, BLOCKED -> softTimeout;
                case BLOCKED_READ -> hardTimeout;
            };
        }

        /** Returns the upper limit of the median overhead in a job of 8 ranks. */
        int goalMillis(BenchFault fault) {
            return switch (fault) {
                case EXCEPTION -> this == TIGHT ? 25 : 50;
                case KILL -> this == TIGHT ? 30 : 60;
                case STOP_PING, BLOCKED -> 60;
                case BLOCKED_READ, KILL_HOST -> 150;
            };
        }

        @Override
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
        public String toString() {
            return optionOf(this);
        }
    }

    private static String optionOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
