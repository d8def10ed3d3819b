package dev.resiliency.testing.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Arrays;

/** The program of {@link ProcessJobIT}: prints its identity, then echoes its input. */
final class Echo {
    private Echo() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws Exception {
        System.out.println("rank " + System.getenv("RANK") + " of " + System.getenv("WORLD_SIZE") + " at "
                + System.getenv("MASTER_ADDR") + ":" + System.getenv("MASTER_PORT") + ", " + System.getenv("COLOUR")
                + ", " + System.getProperty("shape") + ", " + Arrays.toString(arguments));
        if (System.getenv("CHILD") != null) {
            new ProcessBuilder("sleep", "600").start();
            System.out.println("has a child");
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            System.out.println("heard " + line);
        }
        System.err.println("the end");
    }
}
