package dev.resiliency.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line of this process, as the kernel has it: {@code ProcessHandle} cuts it off after 4 KiB, and {@code
 * sun.java.command} does not tell a space within an argument from one between two.
 *
 * @param command the program, its options and arguments
 */
record OwnCommandLine(List<String> command) {
    private static final Path ARGUMENTS = Path.of("/proc/self/cmdline");
    private static final Path PROGRAM = Path.of("/proc/self/exe");

    /** Reads it. */
    static OwnCommandLine read() throws IOException {
        // Arguments are passed on in the encoding in which they came.
        Charset charset = Charset.forName(System.getProperty("sun.jnu.encoding", UTF_8.name()));
        return parse(
                new String(Files.readAllBytes(ARGUMENTS), charset),
                Files.readSymbolicLink(PROGRAM).toString());
    }

    /** The first argument is what the shell has called the program, which may be nothing that can be started. */
    static OwnCommandLine parse(String arguments, String program) {
        List<String> command = new ArrayList<>(List.of(arguments.split("\0", -1)));
        command.remove(command.size() - 1); // behind the last terminator
        command.set(0, program);
        return new OwnCommandLine(List.copyOf(command));
    }

    /**
     * Returns this command line, if it starts a program with these arguments.
     *
     * @throws IllegalArgumentException if it does not
     */
    OwnCommandLine checked(List<String> arguments) {
        int first = command.size() - arguments.size();
        boolean hasArgumentFile = command.stream().anyMatch(argument -> argument.startsWith("@"));
        if (!hasArgumentFile
                && (first < 1 || !command.subList(first, command.size()).equals(arguments))) {
            throw new IllegalArgumentException(
                    "superviseThisProcess needs the arguments of main, unchanged: it was given %s, but this process was started with %s"
                            .formatted(arguments, command));
        }
        return this;
    }
}
