package dev.resiliency.examples.bench.measure;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.ProcessJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How to start commands of {@code resiliency}, and ranks under its agents. */
public final class Resiliency {
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    private Resiliency() {}

    /**
     * Returns the settings of a command, which ends with the thread that starts it.
     *
     * @param directory of its log and its temporary files
     * @param words the command and its options
     */
    public static ProcessJob.Builder command(Path directory, List<String> words) {
        ProcessJob.Builder settings = ProcessJob.builder(ResiliencyCommand.class, directory);
        if (Files.isExecutable(SETPRIV)) {
            settings.prefix(SETPRIV.toString(), "--pdeathsig", "KILL");
        }
        return settings.javaOptions("-XX:-UsePerfData", "-XX:+DisplayVMOutputToStderr")
                .arguments(words.toArray(String[]::new));
    }

    /**
     * Returns how an agent starts a rank, in a JVM that needs little.
     *
     * @param directory of its temporary files
     * @param arguments of the program
     */
    public static List<String> rank(
            Path directory, List<String> javaOptions, Class<?> program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions);
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // all JVMs start at once, on few cores
                "-XX:-UsePerfData", // a killed process would leave its file behind
                "-XX:+DisplayVMOutputToStderr",
                "--enable-native-access=ALL-UNNAMED", // of Netty and JNA: from JDK 24 on, the JVM warns without it
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(arguments);
        return command;
    }
}
