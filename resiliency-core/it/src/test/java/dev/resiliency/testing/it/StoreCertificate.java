package dev.resiliency.testing.it;

import dev.resiliency.store.tcp.Tls;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * What encrypts the connections to a store server on this host.
 *
 * @param trust the file with the authority that its clients trust
 * @param server the settings of the server
 */
record StoreCertificate(Path trust, Tls server) {
    /** Writes a certificate, its key, and whom to trust into a directory. */
    static StoreCertificate create(Path directory) throws Exception {
        X509Bundle authority = new CertificateBuilder()
                .ecp256()
                .subject("CN=authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        X509Bundle own = new CertificateBuilder()
                .ecp256()
                .subject("CN=store")
                .addSanIpAddress("127.0.0.1")
                .buildIssuedBy(authority);
        Path trust = Files.writeString(directory.resolve("trust.pem"), authority.getRootCertificatePEM());
        Path certificate = Files.writeString(directory.resolve("certificate.pem"), own.getCertificatePathPEM());
        Path key = Files.createFile(
                directory.resolve("key.pem"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, own.getPrivateKeyPEM());
        return new StoreCertificate(trust, Tls.create().certificate(certificate, key));
    }
}
