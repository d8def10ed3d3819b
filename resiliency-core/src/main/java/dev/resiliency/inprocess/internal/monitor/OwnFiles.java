package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes files at paths that others may know and, in a directory such as {@code /tmp}, may have taken: follows no link
 * that is there in the place of the file, and adds to no file that another user has put there.
 */
final class OwnFiles {
    private final UserPrincipal user;

    /** Creates it for the user who owns this file, which this user has created. */
    OwnFiles(Path own) throws IOException {
        user = Files.getOwner(own, LinkOption.NOFOLLOW_LINKS);
    }

    /** Opens a file at whose end this process will write. Creates it, and its directory, if necessary. */
    BufferedWriter append(Path file, String option) throws IOException {
        createDirectoryOf(file);
        SeekableByteChannel channel;
        try {
            channel = open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            check(file, option);
            channel = open(file, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
        }
        return new BufferedWriter(new OutputStreamWriter(Channels.newOutputStream(channel), UTF_8));
    }

    /** Writes a file of this content; creates its directory if necessary. An earlier file is replaced. */
    void replace(Path file, String content, String option) throws IOException {
        createDirectoryOf(file);
        if (check(file, option) != null) {
            Files.delete(file);
        }
        try (SeekableByteChannel channel = open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.write(UTF_8.encode(content));
        }
    }

    private static void createDirectoryOf(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
    }

    private static SeekableByteChannel open(Path file, OpenOption... options) throws IOException {
        return Files.newByteChannel(file, Set.of(options));
    }

    /** Returns what is there, if this user may trust it; null if nothing is. */
    private @Nullable PosixFileAttributes check(Path file, String option) throws IOException {
        PosixFileAttributes found;
        try {
            found = Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return null;
        }
        if (!found.isRegularFile()) {
            throw refused(
                    file, option, found.isSymbolicLink() ? "is a symbolic link, and is not followed" : "is no file");
        }
        if (!found.owner().equals(user) && isOpenToAll(file)) {
            throw refused(file, option, "belongs to " + found.owner().getName() + ", in a directory of all users");
        }
        return found;
    }

    /** On some file systems, such as NFS, a file may well belong to another user than its creator. */
    private static boolean isOpenToAll(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        return directory != null && Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE);
    }

    private static IOException refused(Path file, String option, String why) {
        return new IOException("the file " + file + " (" + option + ") " + why
                + ": remove it, or name one in a directory that only you can write to");
    }
}
