package dev.resiliency.examples.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The program that has started this process. */
public final class Parent {
    private static final Logger LOG = LoggerFactory.getLogger(Parent.class);

    private Parent() {}

    /**
     * Takes lines from it, on standard input, and ends this process with it.
     *
     * <p>Thread: {@code parent} reads.
     */
    public static void obey(Consumer<String> lines) {
        Thread thread = new Thread(
                () -> {
                    try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
                        input.lines().forEach(lines);
                    } catch (IOException | RuntimeException e) {
                        LOG.error("an order cannot be obeyed", e);
                    }
                    Runtime.getRuntime().halt(1);
                },
                "parent");
        thread.setDaemon(true);
        thread.start();
    }
}
