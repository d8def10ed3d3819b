package dev.resiliency.examples.bench.store;

import dev.resiliency.examples.bench.measure.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Starts the measured servers, each in a process of its own. */
public final class Servers {
    /** Property for the directory of PyTorch's jars, set by {@code bench.sh}. */
    static final String PEER_LIBRARY = "resiliency.peer.library";

    private static final long COMPILE_SECONDS = 60;

    private Servers() {}

    /** Starts the server of this project, with additional JVM options. */
    public static Target ours(String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("-XX:+UseSerialGC", OwnServer.class.getName()));
        ChildProcess process = ChildProcess.startJava(System.getProperty("java.class.path"), all);
        return new Target(Target.ServerKind.OURS, new NativeWire(), process);
    }

    static Target peer() throws IOException {
        Path library = Path.of(System.getProperty(PEER_LIBRARY, "target/interop-lib"));
        Path source = extract("PeerServer.java");
        try {
            ChildProcess process = ChildProcess.startJava(
                    library + File.separator + "*", List.of("-Djava.net.preferIPv4Stack=true", source.toString()));
            return new Target(Target.ServerKind.PEER, new TorchWire(), process);
        } finally {
            delete(source);
        }
    }

    /** Starts the server that only writes: in C if there is a compiler, named by the variable CC or {@code cc}. */
    public static Target floor() throws IOException, InterruptedException {
        Path source = extract("floor.c");
        Path program = Path.of(source.toString().replaceFirst("\\.c$", ""));
        try {
            ChildProcess process = compile(source, program)
                    ? ChildProcess.start(List.of(program.toString()))
                    : ChildProcess.startJava(
                            System.getProperty("java.class.path"), List.of(FloorServer.class.getName()));
            return new Target(Target.ServerKind.FLOOR, new FloorWire(), process);
        } finally {
            delete(source);
            delete(program);
        }
    }

    private static boolean compile(Path source, Path program) throws InterruptedException {
        String compiler = Objects.requireNonNullElse(System.getenv("CC"), "cc");
        try {
            Process process = new ProcessBuilder(compiler, "-O2", "-o", program.toString(), source.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return process.waitFor(COMPILE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException notThere) {
            System.err.println("No C compiler " + compiler + ": Java writes the floor");
            return false;
        }
    }

    private static Path extract(String resource) throws IOException {
        Path directory = Files.createTempDirectory("resiliency-bench-");
        Path file = directory.resolve(resource);
        try (InputStream in = Objects.requireNonNull(Servers.class.getResourceAsStream(resource))) {
            Files.copy(in, file);
        }
        return file;
    }

    /** Deletes a program, which may be running. */
    private static void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
        Path directory = Objects.requireNonNull(file.getParent());
        String[] rest = directory.toFile().list();
        if (rest == null || rest.length == 0) {
            Files.deleteIfExists(directory);
        }
    }
}
