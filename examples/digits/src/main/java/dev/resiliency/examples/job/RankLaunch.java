package dev.resiliency.examples.job;

import java.io.File;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the process of a rank is started with. Of a rank that is started again, each process has a name of its own.
 *
 * @param rank its {@code RANK} and {@code LOCAL_RANK}
 * @param ranks its {@code WORLD_SIZE}
 * @param masterPort its {@code MASTER_PORT}, on this host
 * @param directory of its log, its checkpoint and its temporary files
 * @param name of its log and of its crash report, without their endings
 * @param variables further environment variables
 * @param jvmOptions options of its JVM
 * @param library what it has on its class path beside what this process has; empty if nothing
 */
public record RankLaunch(
        int rank,
        int ranks,
        int masterPort,
        Path directory,
        String name,
        Map<String, String> variables,
        List<String> jvmOptions,
        String library) {

    /** Copies the collections. */
    public RankLaunch {
        variables = Map.copyOf(variables);
        jvmOptions = List.copyOf(jvmOptions);
    }

    /** Returns the launch of the first process of a rank, whose name is {@code rank-3}, with the JVM's defaults. */
    public static RankLaunch of(int rank, int ranks, int masterPort, Path directory) {
        return new RankLaunch(rank, ranks, masterPort, directory, "rank-" + rank, Map.of(), List.of(), "");
    }

    /** Returns this launch with another name. */
    public RankLaunch named(String other) {
        return new RankLaunch(rank, ranks, masterPort, directory, other, variables, jvmOptions, library);
    }

    /** Returns this launch with another environment variable. */
    public RankLaunch with(String variable, String value) {
        Map<String, String> more = new HashMap<>(variables);
        more.put(variable, value);
        return new RankLaunch(rank, ranks, masterPort, directory, name, more, jvmOptions, library);
    }

    /** Returns this launch with these options of the JVM. */
    public RankLaunch withJvmOptions(List<String> options) {
        return new RankLaunch(rank, ranks, masterPort, directory, name, variables, options, library);
    }

    /** Returns this launch with another part of the class path. */
    public RankLaunch withLibrary(String other) {
        return new RankLaunch(rank, ranks, masterPort, directory, name, variables, jvmOptions, other);
    }

    /** Returns the class path. */
    String classPath() {
        String own = System.getProperty("java.class.path");
        return library.isEmpty() ? own : own + File.pathSeparator + library;
    }

    /** Returns this launch with options for many JVMs on few cores, whose standard output is for events alone. */
    public RankLaunch withJvmOptionsForMany() {
        return withJvmOptions(List.of(
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // all JVMs start at once, on few cores
                "-XX:+DisplayVMOutputToStderr",
                "-XX:ErrorFile=" + directory.resolve("crash-" + name + ".log")));
    }

    /** Returns the path of its log. */
    public Path log() {
        return directory.resolve(name + ".log");
    }
}
