package dev.resiliency.store.tcp;

import dev.resiliency.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.slf4j.Logger;

/** Checks the permissions of files on which the security of a store depends, where the file system has any. */
final class PrivateFile {
    private PrivateFile() {}

    /**
     * Checks that only its owner can write the file, and, with a warning in the log, that no other user can read it.
     *
     * @param content what the file contains, in a message
     * @throws StoreException if every user of this machine can write it
     * @throws IOException if the permissions cannot be read
     */
    static void check(Path file, String content, Logger log) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new StoreException("every user of this machine can replace %s in %s; restrict it with chmod go-rwx"
                    .formatted(content, file));
        }
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)) {
            log.warn("The group of {} can replace {} in it; restrict it with chmod g-w", file, content);
        }
        if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
            log.warn("Every user of this machine can read {} in {}; restrict it with chmod o-r", content, file);
        }
    }
}
