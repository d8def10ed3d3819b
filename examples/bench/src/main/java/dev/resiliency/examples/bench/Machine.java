package dev.resiliency.examples.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Where and when something was measured.
 *
 * @param date in UTC
 * @param processor as the kernel names it
 * @param cores how many there are
 * @param memoryMegabytes how much there is
 * @param kernel its name and release
 * @param java which JDK runs the benchmark
 * @param load how many processes wanted to run in the last minute, before it began
 */
public record Machine(
        String date, String processor, int cores, long memoryMegabytes, String kernel, String java, double load) {

    /** This machine, now. */
    public static Machine current() throws IOException {
        return new Machine(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                value("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                Long.parseLong(value("/proc/meminfo", "MemTotal").split(" ", -1)[0]) / 1024,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    /** For people, in a line. */
    @Override
    public String toString() {
        return "%s, %d cores, %s, load %.1f, %s".formatted(processor, cores, java, load, date);
    }

    private static String value(String file, String name) throws IOException {
        return Files.readAllLines(Path.of(file)).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .findFirst()
                .orElse("0");
    }
}
