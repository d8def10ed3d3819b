package dev.resiliency.launcher.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * The token by which whoever looks at a job may also change it. It is derived from the secret of the job's store, which does not follow
 * from it, and differs for each job.
 */
public final class ActionToken {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String SCHEME = "Bearer ";

    private final byte[] token;

    private ActionToken(byte[] token) {
        this.token = token;
    }

    /** Returns the token of a job. */
    public static ActionToken of(SecretKey secret, String jobId) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            byte[] code = mac.doFinal(("resiliency status page, actions on job " + jobId).getBytes(UTF_8));
            return new ActionToken(HexFormat.of().formatHex(code).getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " is part of every JDK", e);
        }
    }

    /** Returns whether the header {@code Authorization} of a request has this token, after a time that does not depend on it. */
    boolean isIn(@Nullable String header) {
        String given = Objects.requireNonNullElse(header, "");
        return given.startsWith(SCHEME)
                && MessageDigest.isEqual(token, given.substring(SCHEME.length()).getBytes(UTF_8));
    }

    /** Returns the token, in 64 hexadecimal digits. */
    public String text() {
        return new String(token, UTF_8);
    }

    /** Returns a text that does not reveal the token. */
    @Override
    public String toString() {
        return "ActionToken";
    }
}
