package dev.resiliency.store.tcp;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.tcp.internal.wire.TlsSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How connections to a store are encrypted, with PEM files that are read when a server starts or a client connects.
 * Immutable: each method returns another one.
 *
 * <p>A server needs a {@link #certificate}. A server with a {@link #trust} serves only clients that show a certificate
 * which that vouches for; without one it serves everybody who trusts it, so give it a {@link Secret} as well. A client
 * trusts what its {@link #trust} vouches for, by default what the Java installation trusts, and checks that the
 * certificate is for the host that it connects to.
 */
public final class Tls {
    static final String CERTIFICATE_VARIABLE = "RESILIENCY_STORE_TLS_CERT";
    static final String KEY_VARIABLE = "RESILIENCY_STORE_TLS_KEY";
    static final String TRUST_VARIABLE = "RESILIENCY_STORE_TLS_TRUST";

    private final TlsSettings settings;

    private Tls(TlsSettings settings) {
        this.settings = settings;
    }

    /** Shows no certificate, trusts what the Java installation trusts, and checks host names. */
    public static Tls create() {
        return new Tls(new TlsSettings(null, null, null, true));
    }

    /**
     * The certificate that this side shows: a server must, and a client if its server asks for it.
     *
     * @param certificates a PEM file: the certificate, and behind it those that vouch for it
     * @param key a PEM file: its private key, in PKCS#8 and without a password
     */
    public Tls certificate(Path certificates, Path key) {
        return new Tls(new TlsSettings(certificates, key, settings.trust(), settings.checksHostName()));
    }

    /** A PEM file with the certificates that vouch for the other side's. */
    public Tls trust(Path certificates) {
        return new Tls(
                new TlsSettings(settings.certificate(), settings.key(), certificates, settings.checksHostName()));
    }

    /** Whether a client checks that the certificate is for the host that it connects to; by default true. */
    public Tls checkHostName(boolean checks) {
        return new Tls(new TlsSettings(settings.certificate(), settings.key(), settings.trust(), checks));
    }

    /**
     * What the environment says: {@code RESILIENCY_STORE_TLS_CERT}, {@code RESILIENCY_STORE_TLS_KEY} and
     * {@code RESILIENCY_STORE_TLS_TRUST} each name a file; null if none of them is set.
     *
     * @throws StoreException if there is a certificate without a key, or the reverse
     */
    public static @Nullable Tls fromEnvironment() {
        return ofFiles(
                path(System.getenv(CERTIFICATE_VARIABLE)),
                path(System.getenv(KEY_VARIABLE)),
                path(System.getenv(TRUST_VARIABLE)));
    }

    /** Of these files, each of which may be absent; null without any. */
    static @Nullable Tls ofFiles(@Nullable Path certificate, @Nullable Path key, @Nullable Path trust) {
        if ((certificate == null) != (key == null)) {
            throw new StoreException("TLS: a certificate and its private key belong together, and only the %s is given"
                    .formatted(certificate == null ? "key" : "certificate"));
        }
        return certificate == null && trust == null ? null : new Tls(new TlsSettings(certificate, key, trust, true));
    }

    private static @Nullable Path path(@Nullable String file) {
        return file == null ? null : Path.of(file);
    }

    static @Nullable TlsSettings settingsOf(@Nullable Tls tls) {
        return tls == null ? null : tls.settings;
    }

    @Override
    public String toString() {
        return "Tls" + settings;
    }
}
