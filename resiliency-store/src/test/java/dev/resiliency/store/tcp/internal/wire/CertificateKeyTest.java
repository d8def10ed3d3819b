package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateKeyTest {
    @TempDir
    private Path directory;

    private Path certificate(X509Bundle bundle) throws IOException {
        return Files.writeString(directory.resolve("certificate.pem"), bundle.getCertificatePathPEM());
    }

    private Path key(X509Bundle bundle) throws IOException {
        return Files.writeString(directory.resolve("key.pem"), bundle.getPrivateKeyPEM());
    }

    private static X509Bundle made(CertificateBuilder builder) throws Exception {
        return builder.subject("CN=store").setIsCertificateAuthority(true).buildSelfSigned();
    }

    @Test
    void keyOfTheCertificateFits() throws Exception {
        for (CertificateBuilder builder : new CertificateBuilder[] {
            new CertificateBuilder().ecp256(),
            new CertificateBuilder().rsa2048(),
            new CertificateBuilder().algorithm(CertificateBuilder.Algorithm.ed25519)
        }) {
            X509Bundle bundle = made(builder);

            assertThatCode(() -> CertificateKey.check(certificate(bundle), key(bundle)))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void keyOfAnotherCertificateIsRefused() throws Exception {
        X509Bundle bundle = made(new CertificateBuilder().ecp256());
        for (X509Bundle other :
                new X509Bundle[] {made(new CertificateBuilder().ecp256()), made(new CertificateBuilder().rsa2048())}) {
            assertThatExceptionOfType(GeneralSecurityException.class)
                    .isThrownBy(() -> CertificateKey.check(certificate(bundle), key(other)))
                    .withMessage("the key is not that of the certificate");
        }
    }

    @Test
    void fileWithoutAKeyIsRefused() throws Exception {
        X509Bundle bundle = made(new CertificateBuilder().ecp256());

        assertThatExceptionOfType(GeneralSecurityException.class)
                .isThrownBy(() -> CertificateKey.check(certificate(bundle), certificate(bundle)))
                .withMessage("the key file has no private key");
    }
}
