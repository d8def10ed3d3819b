package dev.resiliency.examples.digits;

import java.io.IOException;
import java.nio.file.Path;

/** A checkpoint that cannot be used. Calling the training again does not help. */
public final class CorruptCheckpointException extends IOException {
    private static final long serialVersionUID = 1L;

    CorruptCheckpointException(Path path, String reason) {
        super("the checkpoint " + path + " cannot be restored: " + reason + ". Delete it to start from the beginning");
    }
}
