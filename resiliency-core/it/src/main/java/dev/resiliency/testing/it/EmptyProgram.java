package dev.resiliency.testing.it;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Wrapper;

/** Calls a function that returns at once: with {@code -Dsingle} as one rank that was not launched as part of a job. */
final class EmptyProgram {
    private EmptyProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws InterruptedException {
        Wrapper.Builder builder = Wrapper.builder();
        if (System.getProperty("single") != null) {
            builder.environment(Environment.single());
        }
        System.out.println("RESULT " + builder.build().call(call -> 1));
        System.out.println("ALIVE "
                + Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> !thread.isDaemon())
                        .map(Thread::getName)
                        .toList());
    }
}
