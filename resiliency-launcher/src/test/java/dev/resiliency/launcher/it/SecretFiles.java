package dev.resiliency.launcher.it;

import dev.resiliency.store.tcp.Tls;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** Files that only their owner may read, as keys and secrets must be. */
final class SecretFiles {
    private SecretFiles() {}

    static String write(Path file, String text) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text).toString();
    }

    /** Writes a certificate of 127.0.0.1, its key, and whom to trust; returns the variables that name them. */
    static Map<String, String> tls(Path directory) throws Exception {
        X509Bundle authority = new CertificateBuilder()
                .ecp256()
                .subject("CN=authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        X509Bundle own = new CertificateBuilder()
                .ecp256()
                .subject("CN=job")
                .addSanIpAddress("127.0.0.1")
                .buildIssuedBy(authority);
        return Map.of(
                Tls.TRUST_VARIABLE,
                write(directory.resolve("trust.pem"), authority.getRootCertificatePEM()),
                Tls.CERTIFICATE_VARIABLE,
                write(directory.resolve("certificate.pem"), own.getCertificatePathPEM()),
                Tls.KEY_VARIABLE,
                write(directory.resolve("key.pem"), own.getPrivateKeyPEM()));
    }
}
