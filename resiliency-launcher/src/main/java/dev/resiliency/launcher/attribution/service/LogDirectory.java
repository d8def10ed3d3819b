package dev.resiliency.launcher.attribution.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The only directory whose files the service reads, whoever asks: not what a link in it leads to. */
final class LogDirectory {
    private final Path real;

    /** A file that may not be read, with the code that clients of nvidia-resiliency-ext know. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        private final int status;
        private final String code;

        RefusedException(int status, String code, String message) {
            super(message);
            this.status = status;
            this.code = code;
        }

        int status() {
            return status;
        }

        String code() {
            return code;
        }
    }

    /** @throws IOException if there is no such directory */
    LogDirectory(Path directory) throws IOException {
        real = directory.toRealPath();
        if (!Files.isDirectory(real)) {
            throw new IOException(real + " is no directory");
        }
    }

    /**
     * Returns the file of that name.
     *
     * @throws RefusedException if it may not be read, or does not exist
     */
    Path file(String named) throws RefusedException {
        Path file;
        try {
            Path path = Path.of(named).normalize();
            Path parent = path.getParent();
            Path name = path.getFileName();
            if (!path.isAbsolute() || parent == null || name == null) {
                throw new RefusedException(
                        400, "invalid_path", "log_path must be the absolute path of a file: " + named);
            }
            file = parent.toRealPath().resolve(name);
        } catch (InvalidPathException e) {
            throw new RefusedException(400, "invalid_path", "log_path is no path: " + e.getReason());
        } catch (NoSuchFileException e) {
            throw new RefusedException(404, "not_found", "there is no " + named);
        } catch (RefusedException e) {
            throw e;
        } catch (IOException e) {
            throw new RefusedException(403, "not_readable", named + " cannot be read: " + e.getMessage());
        }
        if (!file.startsWith(real)) {
            throw new RefusedException(403, "outside_root", named + " is not in " + real);
        }
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new RefusedException(404, "not_found", "there is no " + named);
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new RefusedException(400, "not_regular", named + " is no regular file");
        }
        return file;
    }

    @Override
    public String toString() {
        return real.toString();
    }
}
