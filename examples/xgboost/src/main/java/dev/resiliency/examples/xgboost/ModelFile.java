package dev.resiliency.examples.xgboost;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The checkpoint: the model, in a file that is always complete. */
record ModelFile(Path path) {

    /** Returns the model that was saved last; no bytes if there is none. */
    byte[] read() throws IOException {
        try {
            return Files.readAllBytes(path);
        } catch (NoSuchFileException e) {
            return new byte[0];
        }
    }

    /** Replaces the model, unless this rank was suspended meanwhile and the others have gone on without it. */
    void save(CallWrapper call, byte[] model) throws IOException {
        try (AtomicSection section = call.atomic()) {
            Path temporary = path.resolveSibling(path.getFileName() + ".tmp");
            try (FileChannel file = FileChannel.open(temporary, CREATE, TRUNCATE_EXISTING, WRITE)) {
                ByteBuffer content = ByteBuffer.wrap(model);
                while (content.hasRemaining()) {
                    file.write(content);
                }
                file.force(true);
            }
            section.confirm();
            Files.move(temporary, path, ATOMIC_MOVE);
            try (FileChannel directory = FileChannel.open(path.toAbsolutePath().getParent(), READ)) {
                directory.force(true); // the name is stored in the directory
            }
        }
    }
}
