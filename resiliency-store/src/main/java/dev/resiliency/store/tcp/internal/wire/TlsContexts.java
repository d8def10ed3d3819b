package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.tcp.Tls;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLException;

/** Reads the files of {@link Tls}. */
public final class TlsContexts {
    /** The only version: with an earlier one, a client may negotiate again and again, at the server's cost. */
    private static final String PROTOCOL = "TLSv1.3";

    private static final String HTTPS = "HTTPS"; // the algorithm for comparing host names

    private TlsContexts() {}

    /** Reads the files for a server. */
    public static SslContext forServer(Tls tls) {
        Path certificates = tls.certificates();
        Path key = tls.key();
        if (certificates == null || key == null) {
            throw new StoreException("TLS: a server needs a certificate and its private key, and has none");
        }
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(
                    checked(certificates, "certificate").toFile(),
                    checked(key, "key").toFile());
            CertificateKey.check(certificates, key);
            Path trust = tls.trust();
            if (trust != null) {
                builder.trustManager(checked(trust, "trust").toFile()).clientAuth(ClientAuth.REQUIRE);
            }
            return built(builder);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException invalid) {
            throw invalid(tls, invalid);
        }
    }

    /** Reads the files for a client. */
    public static SslContext forClient(Tls tls) {
        try {
            SslContextBuilder builder =
                    SslContextBuilder.forClient().endpointIdentificationAlgorithm(tls.checksHostName() ? HTTPS : "");
            Path certificates = tls.certificates();
            Path key = tls.key();
            if (certificates != null && key != null) {
                builder.keyManager(
                        checked(certificates, "certificate").toFile(),
                        checked(key, "key").toFile());
                CertificateKey.check(certificates, key);
            }
            Path trust = tls.trust();
            if (trust != null) {
                builder.trustManager(checked(trust, "trust").toFile());
            }
            return built(builder);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException invalid) {
            throw invalid(tls, invalid);
        }
    }

    private static SslContext built(SslContextBuilder builder) throws SSLException {
        return builder.sslProvider(SslProvider.JDK).protocols(PROTOCOL).build();
    }

    private static Path checked(Path file, String what) {
        if (!Files.isReadable(file)) {
            throw new StoreException("TLS: the %s file '%s' cannot be read".formatted(what, file));
        }
        return file;
    }

    private static StoreException invalid(Tls tls, Exception cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new StoreException(
                ("TLS: certificate '%s', key '%s' and trust '%s' cannot be used: %s; they must be PEM files, the key in"
                                + " PKCS#8 without a password (openssl pkcs8 -topk8 -nocrypt)")
                        .formatted(tls.certificates(), tls.key(), tls.trust(), root.getMessage()),
                cause);
    }
}
