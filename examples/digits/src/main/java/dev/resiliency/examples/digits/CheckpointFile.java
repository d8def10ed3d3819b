package dev.resiliency.examples.digits;

import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import dev.resiliency.inprocess.RestartAbort;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The state of a training, in a {@link WholeFile}.
 *
 * <pre>
 *  0       4       8                        8 bytes
 * +-------+-------+------------------------+--------+
 * | magic | step  | floats of all arrays   | CRC32C |
 * +-------+-------+------------------------+--------+
 * </pre>
 */
public final class CheckpointFile {
    private static final int MAGIC = 0x44_49_47_32; // "DIG2"

    private final WholeFile file;

    /** Names the checkpoint at this path, which need not exist yet. */
    public CheckpointFile(Path path) {
        this.file = new WholeFile(path);
    }

    /** Replaces the checkpoint. When this returns, the new version survives a crash of the machine. */
    public void save(int step, float[]... arrays) throws IOException {
        file.publish(write(step, arrays));
    }

    /**
     * Replaces the checkpoint in this section, whose rank may have been suspended meanwhile: nothing is replaced if the others
     * have gone on without it.
     */
    public void save(AtomicSection section, int step, float[]... arrays) throws IOException {
        Path temporary = write(step, arrays);
        section.confirm();
        file.publish(temporary);
    }

    /** Writes the new version beside the old one: the part of {@link #save} that leaves the checkpoint alone. */
    Path write(int step, float[]... arrays) throws IOException {
        return file.write(encode(step, arrays));
    }

    /**
     * Reads the checkpoint into arrays of as many floats.
     *
     * @return the step after which it was saved; 0 if there is no checkpoint, and the arrays stay as they are
     * @throws RestartAbort if the file is torn, damaged, or of another model, which a restart would find again; no array has been
     *     changed
     */
    public int restore(float[]... arrays) throws IOException {
        Optional<byte[]> content = file.read();
        return content.isEmpty() ? 0 : decode(ByteBuffer.wrap(content.get()), arrays);
    }

    /**
     * Reads the step, which needs no model.
     *
     * @return the step after which the checkpoint was saved; 0 if there is none
     * @throws RestartAbort if the file is torn or damaged
     */
    public int step() throws IOException {
        Optional<byte[]> content = file.read();
        return content.isEmpty() ? 0 : checkedStep(ByteBuffer.wrap(content.get()));
    }

    private static ByteBuffer encode(int step, float[]... arrays) {
        ByteBuffer content = ByteBuffer.allocate(size(arrays));
        content.putInt(MAGIC).putInt(step);
        for (float[] array : arrays) {
            content.asFloatBuffer().put(array);
            content.position(content.position() + array.length * Float.BYTES);
        }
        return content.putLong(checksum(content)).flip();
    }

    /** Verifies the checkpoint and returns its step; leaves the buffer behind the step. */
    private int checkedStep(ByteBuffer content) {
        if (content.limit() < size() || content.getInt() != MAGIC) {
            throw unusable("it is not a checkpoint, or truncated");
        }
        int checksumAt = content.limit() - Long.BYTES;
        if (content.getLong(checksumAt) != checksum(content.duplicate().position(checksumAt))) {
            throw unusable("its checksum is wrong: it is torn or damaged");
        }
        return content.getInt();
    }

    private int decode(ByteBuffer content, float[]... arrays) {
        int step = checkedStep(content);
        if (content.limit() != size(arrays)) {
            throw unusable("it belongs to another model");
        }
        for (float[] array : arrays) {
            content.asFloatBuffer().get(array);
            content.position(content.position() + array.length * Float.BYTES);
        }
        return step;
    }

    private RestartAbort unusable(String reason) {
        return new RestartAbort(
                "the checkpoint " + file.path() + " cannot be restored: " + reason + ". Delete it to start anew");
    }

    private static int size(float[]... arrays) {
        int floats = Stream.of(arrays).mapToInt(array -> array.length).sum();
        return 2 * Integer.BYTES + floats * Float.BYTES + Long.BYTES;
    }

    /** Returns the checksum of all bytes before the position. */
    private static long checksum(ByteBuffer content) {
        CRC32C crc = new CRC32C();
        crc.update(content.duplicate().flip());
        return crc.getValue();
    }
}
