package dev.resiliency.examples.digits;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown if a checkpoint cannot be used. Restarting does not help. */
public final class CorruptCheckpointException extends IOException {
    private static final long serialVersionUID = 1L;

    CorruptCheckpointException(Path path, String reason) {
        super("the checkpoint " + path + " cannot be restored: " + reason + ". Delete it to start anew");
    }
}
