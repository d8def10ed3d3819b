package dev.resiliency.examples.bench.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.examples.bench.measure.ProcStatus;
import dev.resiliency.examples.job.WorkDirectory;
import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.store.tcp.internal.wire.Frames;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A server in a process of its own, and its protocol. It prints its port when it is ready, and exits when its standard input
 * ends, so that a killed benchmark leaves none behind.
 */
public final class MeasuredServer implements AutoCloseable {
    /** Of a program that only writes: on a byte from one client, a message to each of the others. */
    private static final Wire FLOOR =
            new Wire(Step.await(), key -> Step.await(Frames.PUSH), key -> Step.only(ByteBuffer.allocate(1)));

    private static final long COMPILE_SECONDS = 60;

    /**
     * How clients speak to it.
     *
     * @param hello opens a connection
     * @param awaitChange waits until the key, which does not exist yet, is changed
     * @param change writes a key
     */
    record Wire(Step hello, Function<String, Step> awaitChange, Function<String, Step> change) {}

    private final String name;
    private final Wire wire;
    private final Process process;
    private final int port;

    /** Starts a command, and waits for the port. */
    private MeasuredServer(String name, Wire wire, List<String> command) throws IOException {
        this.name = name;
        this.wire = wire;
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String line = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)).readLine();
        if (line == null) {
            throw new IOException("this exited at once: " + String.join(" ", command));
        }
        port = Integer.parseInt(line);
    }

    /** Returns how many clients a server can have here: each is an open file, of which a process keeps some for itself. */
    public static int mostClients() {
        return Descriptors.ofThisProcess().forOthers() - 1;
    }

    /** Runs our server: prints its port and serves until its standard input ends. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (TcpStoreServer server = TcpStoreServer.builder().secret(null).start()) {
            System.out.println(server.port());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    /** Starts the server of this project, with additional JVM options. */
    public static MeasuredServer ours(String... options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:-UsePerfData", "-XX:+UseSerialGC", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.addAll(List.of(options));
        command.add(MeasuredServer.class.getName());
        return new MeasuredServer("ours", NativeWire.wire(), command);
    }

    /** Starts the server that only writes, which is compiled by the compiler in the variable CC, or by {@code cc}. */
    public static MeasuredServer floor() throws IOException, InterruptedException {
        try (WorkDirectory directory = new WorkDirectory("resiliency-bench-")) {
            Path source = directory.path().resolve("floor.c");
            Path program = directory.path().resolve("floor");
            try (InputStream in = Objects.requireNonNull(MeasuredServer.class.getResourceAsStream("floor.c"))) {
                Files.copy(in, source);
            }
            String compiler = Objects.requireNonNullElse(System.getenv("CC"), "cc");
            Process compilation = new ProcessBuilder(compiler, "-O2", "-o", program.toString(), source.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (!compilation.waitFor(COMPILE_SECONDS, TimeUnit.SECONDS) || compilation.exitValue() != 0) {
                throw new IOException("the floor cannot be compiled by " + compiler);
            }
            return new MeasuredServer("floor", FLOOR, List.of(program.toString()));
        }
    }

    /** Returns its name. */
    @Override
    public String toString() {
        return name;
    }

    /** Returns its protocol. */
    Wire wire() {
        return wire;
    }

    /** Returns its port on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** Returns what the kernel knows about its process. */
    public ProcStatus status() {
        return new ProcStatus(process.pid());
    }

    /** Ends it. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
