package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.StoreException;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The files of one side of encrypted connections.
 *
 * @param certificate what it shows; null: nothing
 * @param key that of the certificate; null without one
 * @param trust what vouches for the other side; null: a client trusts what Java does, a server asks for nothing
 * @param checksHostName whether a client checks that the certificate is for the host
 */
public record TlsSettings(
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable Path trust,
        boolean checksHostName) {
    private static final String HTTPS = "HTTPS"; // the name of the rules for comparing host names

    /** Reads the files for a server. */
    public SslContext forServer() {
        if (certificate == null || key == null) {
            throw new StoreException("TLS: a server needs a certificate and its private key, and has none");
        }
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(
                    checked(certificate, "certificate").toFile(),
                    checked(key, "key").toFile());
            if (trust != null) {
                builder.trustManager(checked(trust, "trust").toFile()).clientAuth(ClientAuth.REQUIRE);
            }
            return builder.sslProvider(SslProvider.JDK).build();
        } catch (SSLException | IllegalArgumentException invalid) {
            throw invalid(invalid);
        }
    }

    /** Reads the files for a client. */
    public SslContext forClient() {
        try {
            SslContextBuilder builder =
                    SslContextBuilder.forClient().endpointIdentificationAlgorithm(checksHostName ? HTTPS : "");
            if (certificate != null && key != null) {
                builder.keyManager(
                        checked(certificate, "certificate").toFile(),
                        checked(key, "key").toFile());
            }
            if (trust != null) {
                builder.trustManager(checked(trust, "trust").toFile());
            }
            return builder.sslProvider(SslProvider.JDK).build();
        } catch (SSLException | IllegalArgumentException invalid) {
            throw invalid(invalid);
        }
    }

    private static Path checked(Path file, String what) {
        if (!Files.isReadable(file)) {
            throw new StoreException("TLS: the %s file '%s' cannot be read".formatted(what, file));
        }
        return file;
    }

    private StoreException invalid(Exception cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new StoreException(
                ("TLS: certificate '%s', key '%s' and trust '%s' cannot be used: %s; they must be PEM files, the key in"
                                + " PKCS#8 without a password (openssl pkcs8 -topk8 -nocrypt)")
                        .formatted(certificate, key, trust, root.getMessage()),
                cause);
    }
}
