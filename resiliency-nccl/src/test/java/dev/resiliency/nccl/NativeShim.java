package dev.resiliency.nccl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Stand-ins for the libraries of a GPU host, compiled with gcc. Tests load them through JavaCPP as they would load the real
 * ones. {@link #set} makes them fail or hang, until the end of a test.
 */
public final class NativeShim implements BeforeAllCallback, AfterEachCallback {
    private static final Path SOURCES = Path.of("src", "test", "resources", "native-shim");
    /** The CUDA version for which the binding on the class path of the tests was made. */
    private static final int CUDA = Integer.getInteger("native-shim.cuda", 13);

    private static final NativeShim THIS_PROCESS = compile();

    private final Path directory;
    private final Map<String, String> commands = new TreeMap<>();

    private NativeShim(Path directory) {
        this.directory = directory;
    }

    /** Returns the libraries of this process, for a field with {@code @RegisterExtension}. */
    public static NativeShim ofThisProcess() {
        return THIS_PROCESS;
    }

    /** Returns libraries for another process; {@code ncclOptions} are options of gcc for the source of NCCL. */
    public static NativeShim compile(String... ncclOptions) {
        Path directory = Path.of(
                        "target", "native-shim", ProcessHandle.current().pid() + "-" + System.nanoTime())
                .toAbsolutePath();
        List<String> command =
                new ArrayList<>(List.of("sh", SOURCES.resolve("build.sh").toString(), directory.toString()));
        command.addAll(List.of(ncclOptions));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(
                        "the stand-ins for the GPU libraries cannot be compiled; is gcc installed?\n" + output);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("the stand-ins for the GPU libraries cannot be compiled", e);
        }
        return new NativeShim(directory);
    }

    /** Returns the directory of the libraries. */
    public Path directory() {
        return directory;
    }

    /** Returns the system properties by which a process finds the libraries. */
    public Map<String, String> properties() {
        Map<String, String> properties = new TreeMap<>();
        properties.put("resiliency.libcuda", directory.resolve("libcuda.so.1").toString());
        properties.put(
                "resiliency.libcudart",
                directory.resolve("libcudart.so." + CUDA).toString());
        properties.put("resiliency.libnccl", directory.resolve("libnccl.so.2").toString());
        properties.put(
                "resiliency.libnvidia-ml",
                directory.resolve("libnvidia-ml.so.1").toString());
        return properties;
    }

    /** Returns how many communicators of this process were created and not freed. */
    public long communicators() {
        return directory.resolve("created").toFile().length()
                - directory.resolve("freed").toFile().length();
    }

    /** Sets a line of the control file: {@code ncclCommAbort=block} for example. */
    public void set(String name, Object value) {
        commands.put(name, value.toString());
        write();
    }

    /** Removes a line from the control file. */
    public void unset(String name) {
        commands.remove(name);
        write();
    }

    private void write() {
        StringBuilder text = new StringBuilder();
        commands.forEach(
                (name, value) -> text.append(name).append('=').append(value).append('\n'));
        try {
            Path next = Files.writeString(directory.resolve("control.next"), text);
            Files.move(next, directory.resolve("control"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        properties().forEach(System::setProperty);
    }

    /** Unblocks everything. */
    @Override
    public void afterEach(ExtensionContext context) {
        commands.clear();
        write();
    }
}
