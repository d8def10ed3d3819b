package dev.resiliency.testing.it;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Wrapper;

/** Calls a wrapper twice. */
final class SilentProgram {
    private SilentProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws InterruptedException {
        Wrapper wrapper = Wrapper.builder()
                .environment(Environment.single())
                .monitorProcess(false)
                .build();
        System.out.println("RESULT " + wrapper.call(call -> 1));
        System.out.println("RESULT " + wrapper.call(call -> 2));
    }
}
