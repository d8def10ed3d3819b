package dev.resiliency.monitor.spi;

import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.spi.guard.OwnFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where the agent of a process says that the store of its job is, which may move: a file beside the {@link StampFile} of the process.
 *
 * @since 0.1.0
 */
public final class StoreNote {
    private static final String SUFFIX = ".store";

    private static final int LIMIT = 1_000;

    private final Path file;
    /** As the environment of the process names it. */
    private final StoreAddress first;

    private StoreNote(Path file, StoreAddress first) {
        this.file = file;
        this.first = first;
    }

    /**
     * Creates the note for a process that is to start.
     *
     * @param first where the store is; the environment of the process says the same
     */
    public static StoreNote create(StampFile stamps, StoreAddress first) throws IOException {
        StoreNote note = new StoreNote(StampFile.beside(stamps.path(), SUFFIX), first);
        note.write(first);
        return note;
    }

    /**
     * Returns the note for this process; empty if no agent has started it, or its store does not move.
     *
     * @param named where the store is, as the environment of this process says; if its agent has not said so, there is no note for it
     */
    public static Optional<StoreNote> ofThisProcess(StoreAddress named) {
        return StampFile.besideOwn(SUFFIX)
                .filter(Files::exists)
                .map(file -> new StoreNote(file, named))
                .filter(note -> note.isFor(named));
    }

    private boolean isFor(StoreAddress named) {
        try {
            return addresses().get(1).equals(named);
        } catch (IOException e) {
            return false;
        }
    }

    /** Says where the store is from now on. */
    public void write(StoreAddress now) throws IOException {
        OwnFiles.replace(file, now + "\n" + first + "\n");
    }

    /**
     * Returns where the store is.
     *
     * @throws IOException if the note cannot be read, such as when the agent has ended
     */
    public StoreAddress read() throws IOException {
        return addresses().get(0);
    }

    /** Returns where the store is, and where it was first. */
    private List<StoreAddress> addresses() throws IOException {
        List<StoreAddress> addresses = OwnFiles.read(file, LIMIT)
                .lines()
                .flatMap(line -> StoreAddress.parse(line, 0).stream())
                .toList();
        if (addresses.size() != 2) {
            throw new IOException("%s names no store".formatted(file));
        }
        return addresses;
    }
}
