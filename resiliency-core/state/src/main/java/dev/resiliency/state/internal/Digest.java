package dev.resiliency.state.internal;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;

/** The digest of a state: SHA-256 over its step and the CRC32C of each chunk, which are known from the transfer. */
final class Digest {
    private Digest() {}

    /** Returns the digest of the chunks, whose checksums must all be known. */
    static String of(int line, long step, Chunks chunks) {
        ByteBuffer input = ByteBuffer.allocate(Integer.BYTES + Long.BYTES + chunks.count() * Integer.BYTES);
        input.putInt(line).putLong(step);
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            input.putInt((int) chunks.checksum(chunk));
        }
        return HexFormat.of().formatHex(sha256(input.array()), 0, 2 * Long.BYTES);
    }

    static byte[] sha256(byte[] input) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(input);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
