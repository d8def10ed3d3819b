package dev.resiliency.pytorch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.global.torch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads libtorch, so that ranks that start together do not crash, and checks the settings of JavaCPP.
 *
 * <p>JavaCPP unpacks the native libraries into a cache on first use. Two processes that do so at once destroy each other's
 * files, which ends both with SIGBUS. So each rank should call {@link #load} before it uses any other class of
 * {@code org.bytedeco.pytorch}. {@link #main} fills the cache in advance, in the image of a container, for example.
 *
 * @since 0.1.0
 */
public final class TorchLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(TorchLibrary.class);
    private static final String LOCK = "resiliency-pytorch.lock";

    private TorchLibrary() {}

    /**
     * Loads libtorch, once in this process; while one process of this host fills the cache, the others wait. Warns of
     * settings of JavaCPP that cost a rank its job. Takes a second, or three if the cache is empty.
     *
     * @throws UncheckedIOException if the cache cannot be written
     * @throws UnsatisfiedLinkError if the native libraries are missing on the class path
     */
    public static void load() {
        Loaded.check();
    }

    /** Fills the cache of JavaCPP, and prints where it is. Takes no arguments. */
    @SuppressWarnings("SystemOut") // a program
    public static void main(String[] arguments) throws IOException {
        load();
        System.out.println("libtorch is unpacked in " + Loader.getCacheDir());
    }

    /** Loads in its initializer, which the virtual machine runs once. */
    private static final class Loaded {
        static {
            loadAlone();
        }

        static void check() {
            // the initializer has done it
        }

        private static void loadAlone() {
            try {
                Path cache = Loader.getCacheDir().toPath();
                try (FileChannel file = FileChannel.open(cache.resolve(LOCK), READ, WRITE, CREATE)) {
                    if (!loadFromFullCache(file)) {
                        unpack(file);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot use the cache of JavaCPP", e);
            }
            if (Pointer.maxPhysicalBytes() > 0) {
                LOG.warn(
                        "JavaCPP throws OutOfMemoryError, for which a rank leaves its job, once this process has {} MB"
                                + " resident: start it with -Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                        Pointer.maxPhysicalBytes() >> 20);
            }
        }

        /** Loads beside other processes, if one has unpacked the same archive before; returns whether it has. */
        @SuppressWarnings("try") // the lock is only closed
        private static boolean loadFromFullCache(FileChannel file) throws IOException {
            try (FileLock beside = file.lock(0, Long.MAX_VALUE, true)) {
                if (!archive().equals(read(file))) {
                    return false;
                }
                Loader.load(torch.class);
                return true;
            }
        }

        @SuppressWarnings("try") // the lock is only closed
        private static void unpack(FileChannel file) throws IOException {
            try (FileLock alone = file.lock()) {
                Loader.load(torch.class);
                file.truncate(0);
                file.write(UTF_8.encode(archive()), 0);
            }
        }

        private static String read(FileChannel file) throws IOException {
            ByteBuffer content = ByteBuffer.allocate((int) file.size());
            file.read(content, 0);
            return UTF_8.decode(content.flip()).toString();
        }

        /** Returns the archive that JavaCPP unpacks, as JavaCPP recognizes it: by path, size and time. */
        private static String archive() throws IOException {
            URL natives = torch.class.getResource("/org/bytedeco/pytorch/" + Loader.getPlatform() + "/");
            if (natives != null && natives.openConnection() instanceof JarURLConnection jar) {
                File file = new File(jar.getJarFileURL().getPath());
                return file + " " + file.length() + " " + file.lastModified();
            }
            return "none"; // a directory is not unpacked
        }
    }
}
