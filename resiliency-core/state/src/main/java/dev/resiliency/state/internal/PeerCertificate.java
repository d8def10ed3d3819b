package dev.resiliency.state.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.HexFormat;

/**
 * The certificate by which a rank is a TLS server for the others: made by itself for one iteration, and trusted since its
 * fingerprint stands in the job's store. So ranks need no certificate of the job's.
 */
record PeerCertificate(PrivateKey key, X509Certificate certificate) {
    private static final byte[] ECDSA_WITH_SHA256 = HexFormat.of().parseHex("300a06082a8648ce3d040302");
    private static final byte[] COMMON_NAME = HexFormat.of().parseHex("0603550403");

    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int SHORT_LENGTH = 0x7f;

    static PeerCertificate create() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            byte[] name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, text("resiliency")))));
            byte[] validity = der(SEQUENCE, der(UTC_TIME, text("000101000000Z")), der(UTC_TIME, text("491231235959Z")));
            byte[] contents = der(
                    SEQUENCE,
                    der(INTEGER, new byte[] {1}),
                    ECDSA_WITH_SHA256,
                    name,
                    validity,
                    name,
                    keys.getPublic().getEncoded());
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(contents);
            byte[] whole =
                    der(SEQUENCE, contents, ECDSA_WITH_SHA256, der(BIT_STRING, new byte[] {0}, signature.sign()));
            X509Certificate certificate = (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
            return new PeerCertificate(keys.getPrivate(), certificate);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has elliptic curves", impossible);
        }
    }

    String fingerprint() {
        return fingerprint(certificate);
    }

    static String fingerprint(X509Certificate certificate) {
        try {
            return HexFormat.of().formatHex(Digest.sha256(certificate.getEncoded()));
        } catch (CertificateEncodingException impossible) {
            throw new IllegalStateException("it was decoded", impossible);
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(US_ASCII);
    }

    /** Returns a value of ASN.1: its tag, its length, its parts. */
    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream contents = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            contents.writeBytes(part);
        }
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.write(tag);
        int length = contents.size();
        if (length <= SHORT_LENGTH) {
            value.write(length);
        } else {
            value.write(0x82); // two bytes follow
            value.write(length >>> Byte.SIZE);
            value.write(length);
        }
        value.writeBytes(contents.toByteArray());
        return value.toByteArray();
    }
}
