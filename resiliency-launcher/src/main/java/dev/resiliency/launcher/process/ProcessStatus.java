package dev.resiliency.launcher.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.resiliency.launcher.process.ExitReason.Shortage;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What Linux says of a process in {@code /proc/PID/stat}.
 *
 * @param group its process group
 * @param session its session
 * @param startTicks when it started, in ticks since the host booted: with the id, it names a process for good, while ids
 *     alone are used again
 */
record ProcessStatus(long pid, char state, long group, long session, long startTicks) {
    private static final Path PROC = Path.of("/proc");

    /** Returns the status of a process; empty if there is none with this id. */
    static Optional<ProcessStatus> of(long pid) {
        try {
            return read(pid);
        } catch (IOException shortage) {
            return Optional.empty();
        }
    }

    private static Optional<ProcessStatus> read(long pid) throws IOException {
        return read(pid, "stat").map(ProcessStatus::parse);
    }

    /**
     * Reads a file of a process; returns empty if there is no such process, or this one may not.
     *
     * @throws IOException if descriptors or memory lack, so that nothing is known
     */
    private static Optional<String> read(long pid, String file) throws IOException {
        try {
            return Optional.of(Files.readString(PROC.resolve(Long.toString(pid)).resolve(file), ISO_8859_1));
        } catch (IOException e) {
            if (Shortage.isCauseOf(e)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /**
     * Returns the status of all processes that this one can see.
     *
     * @throws IOException if they cannot be read
     */
    static List<ProcessStatus> all() throws IOException {
        List<ProcessStatus> all = new ArrayList<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path directory : directories) {
                read(Long.parseLong(directory.getFileName().toString())).ifPresent(all::add);
            }
        }
        return all;
    }

    /** The second field is the program's name in parentheses, which may contain both spaces and parentheses. */
    static ProcessStatus parse(String line) {
        int first = 3;
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        return new ProcessStatus(
                Long.parseLong(line.substring(0, line.indexOf(' '))),
                fields[0].charAt(0),
                Long.parseLong(fields[5 - first]),
                Long.parseLong(fields[6 - first]),
                Long.parseLong(fields[22 - first]));
    }

    /** Returns whether the process still runs: one that has ended stays visible until its parent has asked for its code. */
    boolean isAlive() {
        return state != 'Z' && state != 'X';
    }

    /** Returns whether a signal has suspended it. */
    boolean isSuspended() {
        return state == 'T';
    }

    /** Returns whether the process of this id lives that started then. */
    static boolean isAlive(long pid, long ticks) {
        return of(pid).filter(status -> status.startTicks() == ticks && status.isAlive())
                .isPresent();
    }

    /** Returns whether a process is a JVM; false if that cannot be read. */
    static boolean isJvm(long pid) {
        try {
            return read(pid, "maps").orElse("").contains("/libjvm.so");
        } catch (IOException shortage) {
            return false;
        }
    }

    /**
     * Returns whether the process has this environment variable; false if it does not tell this one.
     *
     * @throws IOException if descriptors or memory lack, so that it is not known
     */
    boolean hasVariable(String name, String value) throws IOException {
        return environment(pid).contains(name + "=" + value);
    }

    private static List<String> environment(long pid) throws IOException {
        return List.of(read(pid, "environ").orElse("").split("\0", -1));
    }

    /**
     * Returns whether a process has a handler of its own for a signal, so that it can receive it; false if that cannot be read.
     * That of a JVM which suspends its threads by the signal does not count.
     */
    static boolean handles(long pid, String signal) {
        try {
            long caught = caught(read(pid, "status").orElse(""));
            boolean isCaught = (caught >>> (ExitReason.numberOf(signal) - 1) & 1) == 1;
            return isCaught && !(isJvm(pid) && JvmSuspension.uses(signal, variables(environment(pid))));
        } catch (IOException shortage) {
            return false;
        }
    }

    /** Returns the variables of an environment; the first of a name counts. */
    static Map<String, String> variables(List<String> environment) {
        return environment.stream()
                .filter(entry -> entry.contains("="))
                .collect(Collectors.toMap(
                        entry -> entry.substring(0, entry.indexOf('=')),
                        entry -> entry.substring(entry.indexOf('=') + 1),
                        (one, other) -> one));
    }

    /** Returns the mask of the signals that a process catches: the lowest bit stands for signal 1. */
    static long caught(String status) {
        String field = "SigCgt:";
        return status.lines()
                .filter(line -> line.startsWith(field))
                .mapToLong(line ->
                        Long.parseUnsignedLong(line.substring(field.length()).strip(), 16))
                .findFirst()
                .orElse(0);
    }
}
