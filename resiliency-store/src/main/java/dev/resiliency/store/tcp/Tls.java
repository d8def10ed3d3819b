package dev.resiliency.store.tcp;

import dev.resiliency.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The encryption of connections to a store, with PEM files that are read when a server starts or a client connects.
 * Immutable: each method returns a changed copy.
 *
 * <p>A server needs a {@link #certificate}. A server with a {@link #trust} serves only clients that present a certificate
 * that it trusts; one without serves everybody who trusts its own, so on an address that other machines reach it needs a
 * {@link Secret} as well. Both sides speak TLS 1.3 only. A client
 * trusts the certificates in its {@link #trust}, by default those of the Java installation, and checks that the server's
 * certificate matches the host that it connects to.
 *
 * @param certificates the certificate that this side presents, followed by its chain; null for none
 * @param key the private key of the certificate; null without one
 * @param trust the certificates that this side trusts; null: a client trusts what the Java installation trusts, and a
 *     server asks clients for no certificate
 * @param checksHostName whether a client checks that the server's certificate matches the host
 * @since 0.1.0
 */
public record Tls(
        @Nullable Path certificates,
        @Nullable Path key,
        @Nullable Path trust,
        boolean checksHostName) {
    private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

    /** The environment variable that names the file of the certificate. */
    public static final String CERTIFICATE_VARIABLE = "RESILIENCY_STORE_TLS_CERT";

    /** The environment variable that names the file of the private key. */
    public static final String KEY_VARIABLE = "RESILIENCY_STORE_TLS_KEY";

    /** The environment variable that names the file of the trusted certificates. */
    public static final String TRUST_VARIABLE = "RESILIENCY_STORE_TLS_TRUST";

    /** Checks that a certificate and its key are given together. */
    public Tls {
        if ((certificates == null) != (key == null)) {
            throw new StoreException("TLS: a certificate and its private key belong together, and only the %s is given"
                    .formatted(certificates == null ? "key" : "certificate"));
        }
    }

    /** Presents no certificate, trusts what the Java installation trusts, and checks host names. */
    public static Tls create() {
        return new Tls(null, null, null, true);
    }

    /**
     * Presents a certificate: a server must, and a client if its server asks for it.
     *
     * @param certificates a PEM file: the certificate, followed by its chain
     * @param key a PEM file: its private key, in PKCS#8 and without a password. A warning is logged if every user of the
     *     machine can read it, or its group can write it
     * @throws StoreException if every user of the machine can write the key's file
     */
    public Tls certificate(Path certificates, Path key) {
        checkPermissions(key);
        return new Tls(certificates, key, trust, checksHostName);
    }

    /** Trusts the certificates in a PEM file. */
    public Tls trust(Path certificates) {
        return new Tls(this.certificates, key, certificates, checksHostName);
    }

    /** Sets whether a client checks that the certificate matches the host that it connects to; true by default. */
    public Tls checkHostName(boolean checks) {
        return new Tls(certificates, key, trust, checks);
    }

    /**
     * Reads the settings from the environment: {@code RESILIENCY_STORE_TLS_CERT}, {@code RESILIENCY_STORE_TLS_KEY} and
     * {@code RESILIENCY_STORE_TLS_TRUST} each name a file; null if none of them is set.
     *
     * @throws StoreException if there is a certificate without a key, or the reverse
     */
    public static @Nullable Tls fromEnvironment() {
        return ofFiles(path(CERTIFICATE_VARIABLE), path(KEY_VARIABLE), path(TRUST_VARIABLE));
    }

    /**
     * Uses these files, each of which may be absent; null without any.
     *
     * @throws StoreException if there is a certificate without a key, or the reverse, or as {@link #certificate}
     */
    public static @Nullable Tls ofFiles(@Nullable Path certificates, @Nullable Path key, @Nullable Path trust) {
        Tls tls = new Tls(certificates, key, trust, true);
        if (key != null) {
            checkPermissions(key);
        }
        return certificates == null && trust == null ? null : tls;
    }

    private static void checkPermissions(Path key) {
        try {
            if (Files.exists(key)) { // or else the server or the client that reads it says so
                PrivateFile.check(key, "the private key", LOG);
            }
        } catch (IOException unreadable) {
            throw new StoreException(
                    "TLS: the permissions of the key file '%s' cannot be read".formatted(key), unreadable);
        }
    }

    private static @Nullable Path path(String variable) {
        String file = System.getenv(variable);
        return file == null ? null : Path.of(file);
    }
}
