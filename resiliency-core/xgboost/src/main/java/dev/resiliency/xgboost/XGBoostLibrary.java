package dev.resiliency.xgboost;

import dev.resiliency.inprocess.spi.socket.NativeSockets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import ml.dmlc.xgboost4j.java.XGBoostJNI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads XGBoost's native library, before the ranks of a job wait for each other.
 *
 * @since 0.1.0
 */
public final class XGBoostLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(XGBoostLibrary.class);
    private static final Path MAPPINGS = Path.of("/proc/self/maps");
    private static final String UNPACKED = "libxgboost4j";

    private XGBoostLibrary() {}

    /**
     * Loads the library, once in this process: call it before the wrapper, as it takes a second, or ten on a busy host.
     * XGBoost4J unpacks it into {@code java.io.tmpdir}, where a process that is killed would leave 18 MB behind; on Linux
     * the file is deleted at once.
     *
     * @throws UnsatisfiedLinkError if the library or {@code libgomp.so.1} is missing
     */
    public static void load() {
        Loaded.check();
    }

    /** Returns the unpacked files of the library that this process has mapped. */
    static List<Path> unpacked(Stream<String> mappings, Path directory) {
        return mappings.filter(line -> line.contains("/"))
                .map(line -> Path.of(line.substring(line.indexOf('/'))))
                .filter(file -> file.getFileName().toString().startsWith(UNPACKED))
                .filter(file -> directory.equals(file.getParent()))
                .distinct()
                .toList();
    }

    /** Loads in its initializer, which the virtual machine runs once. */
    private static final class Loaded {
        static {
            XGBoostJNI.XGBGetLastError(); // loads it
            NativeSockets.find(); // the first use of JNA takes long, and an abort must not
            delete();
        }

        static void check() {
            // the initializer has done it
        }

        private static void delete() {
            try (Stream<String> mappings = Files.lines(MAPPINGS)) {
                Path directory = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
                for (Path file : unpacked(mappings, directory)) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException notLinux) {
                LOG.debug("the unpacked library stays until this process ends: {}", notLinux.toString());
            }
        }
    }
}
