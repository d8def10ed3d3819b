package dev.resiliency.store.spi.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Files at paths that others may know and, in a directory such as {@code /tmp}, may have taken. Nothing but a regular file is opened,
 * no link in its place is followed, and in a directory of all users none that another user has put there is used. The directories
 * above are not looked at: see {@link PrivateDirectory} for one that is.
 *
 * @since 0.1.0
 */
public final class OwnFiles {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Loaded when it is needed first. */
    private static final class User {
        static final UserPrincipal CURRENT = current();

        private static UserPrincipal current() {
            try {
                Path self = Path.of("/proc/self");
                if (Files.exists(self)) {
                    return Files.getOwner(self);
                }
                Path own = Files.createTempFile("resiliency-", ".user");
                try {
                    return Files.getOwner(own);
                } finally {
                    Files.delete(own);
                }
            } catch (IOException e) {
                throw new IllegalStateException("it is not known which user this is", e);
            }
        }
    }

    private OwnFiles() {}

    /** Returns the user of this process, who owns what it creates. */
    static UserPrincipal user() {
        return User.CURRENT;
    }

    /**
     * Opens a file at whose end this process will write; creates it if it does not exist.
     *
     * @throws IOException if that fails, or something else is there; says what
     */
    public static FileChannel append(Path file) throws IOException {
        return openOrCreate(file, StandardOpenOption.APPEND);
    }

    /**
     * Opens a file to read and write; creates it if it does not exist.
     *
     * @throws IOException if that fails, or something else is there; says what
     */
    public static FileChannel update(Path file) throws IOException {
        return openOrCreate(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /**
     * Opens a file that is there to read and write.
     *
     * @throws NoSuchFileException if nothing is there
     * @throws IOException if that fails, or something else is there; says what
     */
    public static FileChannel updateExisting(Path file) throws IOException {
        return openExisting(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Whoever creates it at the same time is no stranger, who could only put something there that is refused. */
    private static FileChannel openOrCreate(Path file, OpenOption... options) throws IOException {
        if (check(file) == null) {
            Set<OpenOption> creating = new HashSet<>(Set.of(options));
            creating.add(StandardOpenOption.WRITE);
            creating.add(StandardOpenOption.CREATE_NEW);
            try {
                return FileChannel.open(file, creating);
            } catch (FileAlreadyExistsException sameMoment) {
                // It is there now.
            }
        }
        return openExisting(file, options);
    }

    private static FileChannel openExisting(Path file, OpenOption... options) throws IOException {
        if (check(file) == null) {
            throw new NoSuchFileException(file.toString());
        }
        Set<OpenOption> existing = new HashSet<>(Set.of(options));
        existing.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, existing);
    }

    /**
     * Opens a file to read.
     *
     * @throws NoSuchFileException if nothing is there
     * @throws IOException if that fails, or something else is there; says what
     */
    public static FileChannel open(Path file) throws IOException {
        return openExisting(file, StandardOpenOption.READ);
    }

    /**
     * Reads a text file.
     *
     * @param limit the most bytes that it may have
     * @throws NoSuchFileException if nothing is there
     * @throws IOException if it cannot be read, is longer, or something else is there; says what
     */
    public static String read(Path file, int limit) throws IOException {
        try (FileChannel channel = open(file)) {
            if (channel.size() > limit) {
                throw new IOException("%s has %d bytes: at most %d are read".formatted(file, channel.size(), limit));
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // goes on
            }
            return UTF_8.decode(bytes.flip()).toString();
        }
    }

    /**
     * Writes a file; replaces one that is there as a whole, so no crash leaves half of it.
     *
     * @throws IOException if that fails, or something else is there; says what
     */
    public static void replace(Path file, String content) throws IOException {
        check(file);
        Path unfinished = file.resolveSibling(".%s.%s.new"
                .formatted(file.getFileName(), Long.toUnsignedString(RANDOM.nextLong(), Character.MAX_RADIX)));
        try (FileChannel channel =
                FileChannel.open(unfinished, EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
            ByteBuffer bytes = UTF_8.encode(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE); // replaces a link, and follows none
        } catch (IOException e) {
            Files.deleteIfExists(unfinished);
            throw e;
        }
    }

    /**
     * Deletes a file, unless what is there is none that this user may trust; returns whether nothing is there afterwards.
     *
     * @throws IOException if that fails
     */
    public static boolean delete(Path file) throws IOException {
        PosixFileAttributes found = attributes(file);
        if (found == null) {
            return true;
        }
        if (!found.isRegularFile() || isOfAStranger(file, found)) {
            return false;
        }
        Files.deleteIfExists(file);
        return true;
    }

    /** Returns what is there, if this user may trust it; null if nothing is. */
    private static @Nullable PosixFileAttributes check(Path file) throws IOException {
        PosixFileAttributes found = attributes(file);
        if (found == null) {
            return null;
        }
        if (!found.isRegularFile()) {
            throw refused(file, found.isSymbolicLink() ? "is a symbolic link, and is not followed" : "is no file");
        }
        if (isOfAStranger(file, found)) {
            throw refused(file, "belongs to " + found.owner().getName() + ", in a directory of all users");
        }
        return found;
    }

    static @Nullable PosixFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** On some file systems, such as NFS, a file may well belong to another user than its creator. */
    private static boolean isOfAStranger(Path file, PosixFileAttributes found) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        return !found.owner().equals(user())
                && directory != null
                && Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE);
    }

    private static IOException refused(Path file, String why) {
        return new IOException(
                "%s %s: remove it, or name one in a directory that only you can write to".formatted(file, why));
    }
}
