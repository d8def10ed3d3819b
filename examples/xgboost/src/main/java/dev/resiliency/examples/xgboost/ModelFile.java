package dev.resiliency.examples.xgboost;

import dev.resiliency.examples.digits.WholeFile;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The checkpoint: the model, in a file that is always complete. */
record ModelFile(WholeFile file) {
    ModelFile(Path path) {
        this(new WholeFile(path));
    }

    /** Returns the model that was saved last; no bytes if there is none. */
    byte[] read() throws IOException {
        return file.read().orElse(new byte[0]);
    }

    /** Replaces the model, unless this rank was suspended meanwhile and the others have gone on without it. */
    void save(CallWrapper call, byte[] model) throws IOException {
        try (AtomicSection section = call.atomic()) {
            Path temporary = file.write(ByteBuffer.wrap(model));
            section.confirm();
            file.publish(temporary);
        }
    }
}
