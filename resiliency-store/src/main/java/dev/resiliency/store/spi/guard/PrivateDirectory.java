package dev.resiliency.store.spi.guard;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A directory of this user to which nobody else may write, so that what is in it was put there by this user. It was looked at without
 * following a link in its place; so was each level above it, up to the one that was {@linkplain #open opened}.
 *
 * @param path without links from the opened one on
 * @since 0.1.0
 */
public record PrivateDirectory(Path path) {
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final Set<PosixFilePermission> OPEN =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    /**
     * Opens a directory; creates it, and those above, if it does not exist.
     *
     * @throws IOException if that is impossible, something else is there, or others own it or may write to it
     */
    public static PrivateDirectory open(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        Path parent = absolute.getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            Files.createDirectories(parent, OWNER_ONLY);
        }
        return create(absolute);
    }

    /** Creates a directory of a name that nobody can guess, among the temporary files. */
    public static PrivateDirectory temporary(String prefix) throws IOException {
        return new PrivateDirectory(Files.createTempDirectory(prefix, OWNER_ONLY));
    }

    private static PrivateDirectory create(Path path) throws IOException {
        try {
            Files.createDirectory(path, OWNER_ONLY);
        } catch (FileAlreadyExistsException e) {
            // It is looked at in any case.
        }
        return checked(path);
    }

    private static PrivateDirectory checked(Path path) throws IOException {
        PosixFileAttributes found = OwnFiles.attributes(path);
        if (found == null) {
            throw new NoSuchFileException(path.toString());
        }
        if (!found.isDirectory()) {
            throw new IOException(
                    path + (found.isSymbolicLink() ? " is a symbolic link, and is not followed" : " is no directory"));
        }
        if (!found.owner().equals(OwnFiles.user())
                || found.permissions().stream().anyMatch(OPEN::contains)) {
            throw new IOException("%s belongs to %s (%s): it must belong to %s, and nobody else may write to it"
                    .formatted(
                            path,
                            found.owner().getName(),
                            PosixFilePermissions.toString(found.permissions()),
                            OwnFiles.user().getName()));
        }
        return new PrivateDirectory(path);
    }

    /**
     * Opens a directory in this one; creates it if it does not exist.
     *
     * @throws IOException as {@link #open} does
     */
    public PrivateDirectory child(String name) throws IOException {
        return create(resolve(name));
    }

    /**
     * Opens a directory in this one that is there.
     *
     * @throws NoSuchFileException if nothing is there
     * @throws IOException as {@link #open} does
     */
    public PrivateDirectory existing(String name) throws IOException {
        return checked(resolve(name));
    }

    /** Returns the path of a file in this directory. */
    public Path resolve(String name) {
        return path.resolve(name);
    }

    /** Returns the names of the regular files of this user. */
    public List<String> files() throws IOException {
        return names(PosixFileAttributes::isRegularFile);
    }

    /** Returns the names of the directories of this user. */
    public List<String> directories() throws IOException {
        return names(PosixFileAttributes::isDirectory);
    }

    private List<String> names(Predicate<PosixFileAttributes> isWanted) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
            for (Path entry : entries) {
                PosixFileAttributes found = OwnFiles.attributes(entry);
                if (found != null && isWanted.test(found) && found.owner().equals(OwnFiles.user())) {
                    names.add(entry.getFileName().toString());
                }
            }
        }
        return names;
    }

    /** Deletes this directory if it is empty. */
    public void deleteIfEmpty() throws IOException {
        try {
            Files.deleteIfExists(path);
        } catch (DirectoryNotEmptyException e) {
            // Somebody needs it.
        }
    }
}
