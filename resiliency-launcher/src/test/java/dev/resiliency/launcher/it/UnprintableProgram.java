package dev.resiliency.launcher.it;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Wrapper;
import java.io.PrintStream;
import java.time.Duration;

/** A wrapped job whose rank 1 throws exceptions that cannot be printed, another one in each iteration. */
final class UnprintableProgram {
    private static final int KINDS = 4;

    private UnprintableProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws Exception {
        int iterations = Wrapper.builder()
                .softTimeout(Duration.ofSeconds(60))
                .hardTimeout(Duration.ofSeconds(90))
                .warmUp(false)
                .build()
                .call(UnprintableProgram::train);
        System.out.println("completed iteration " + iterations);
    }

    private static int train(CallWrapper call) throws Exception {
        if (call.state().initialRank() == 1) {
            switch (call.iteration()) {
                case 0 -> throw new Silent();
                case 1 -> throw new Failing();
                case 2 -> throw new Blocking();
                case 3 -> throw deep();
                default -> {}
            }
        }
        while (call.iteration() < KINDS) {
            call.ping();
            Thread.sleep(10);
        }
        return call.iteration();
    }

    private static Exception deep() {
        Exception thrown = new Exception("root");
        for (int i = 0; i < 20_000; i++) {
            thrown = new Exception("cause " + i, thrown);
        }
        return thrown;
    }

    @SuppressWarnings({"serial", "NullAway", "ToStringReturnsNull", "OverrideThrowableToString"})
    private static final class Silent extends RuntimeException {
        @Override
        public String toString() {
            return null;
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            return null;
        }
    }

    @SuppressWarnings({"serial", "OverrideThrowableToString"})
    private static final class Failing extends RuntimeException {
        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("no text");
        }

        @Override
        public void printStackTrace(PrintStream out) {
            throw new IllegalStateException("no trace");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("no cause");
        }
    }

    @SuppressWarnings("serial")
    private static final class Blocking extends RuntimeException {
        @Override
        public String getMessage() {
            try {
                Thread.sleep(Duration.ofHours(1).toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "never";
        }
    }
}
