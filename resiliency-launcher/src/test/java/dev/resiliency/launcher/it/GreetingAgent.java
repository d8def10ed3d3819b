package dev.resiliency.launcher.it;

/** An agent of the JVM, which {@code -javaagent} loads before a program. */
final class GreetingAgent {
    private GreetingAgent() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void premain(String argument) {
        System.out.println("agent says " + argument);
    }
}
