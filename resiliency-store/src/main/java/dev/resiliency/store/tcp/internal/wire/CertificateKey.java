package dev.resiliency.store.tcp.internal.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks that a private key belongs to a certificate, which a server would otherwise learn from its first client. */
final class CertificateKey {
    private static final Pattern PKCS8 =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final byte[] SAMPLE = "sample".getBytes(US_ASCII);

    private CertificateKey() {}

    /**
     * Signs with the key, and verifies with the first certificate.
     *
     * @throws GeneralSecurityException if the key is not that of the certificate
     */
    static void check(Path certificates, Path key) throws GeneralSecurityException, IOException {
        PublicKey ofCertificate = publicKey(certificates);
        if (!fits(ofCertificate, key)) {
            throw new GeneralSecurityException("the key is not that of the certificate");
        }
    }

    private static PublicKey publicKey(Path certificates) throws GeneralSecurityException, IOException {
        try (InputStream in = Files.newInputStream(certificates)) {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(in)
                    .getPublicKey();
        }
    }

    private static boolean fits(PublicKey ofCertificate, Path key) throws GeneralSecurityException, IOException {
        Matcher pem = PKCS8.matcher(Files.readString(key, US_ASCII));
        if (!pem.find()) {
            throw new GeneralSecurityException("the key file has no private key");
        }
        byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1));
        PrivateKey ofFile;
        try {
            ofFile = KeyFactory.getInstance(ofCertificate.getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException anotherKind) {
            return false;
        }
        Signature signature = Signature.getInstance(signatureOf(ofCertificate));
        signature.initSign(ofFile);
        signature.update(SAMPLE);
        byte[] signed = signature.sign();
        signature.initVerify(ofCertificate);
        signature.update(SAMPLE);
        return signature.verify(signed);
    }

    private static String signatureOf(PublicKey key) {
        return switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm(); // such as Ed25519
        };
    }
}
