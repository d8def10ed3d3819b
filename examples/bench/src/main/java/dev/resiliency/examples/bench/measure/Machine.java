package dev.resiliency.examples.bench.measure;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The machine of a measurement, and its time.
 *
 * @param date in UTC
 * @param processor name of the processor
 * @param cores number of cores
 * @param memoryMegabytes size of the memory
 * @param kernel name and release of the kernel
 * @param java the JDK that runs the benchmark
 * @param load average number of runnable processes in the minute before
 */
public record Machine(
        String date, String processor, int cores, long memoryMegabytes, String kernel, String java, double load) {

    /** Describes this machine, now. */
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

    /** Returns a line for people. */
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
