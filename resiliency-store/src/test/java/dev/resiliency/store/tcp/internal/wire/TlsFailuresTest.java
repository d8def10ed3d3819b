package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.NotSslRecordException;
import java.security.SignatureException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class TlsFailuresTest {
    private static final String UNTRUSTED = "the peer's certificate is not trusted: set RESILIENCY_STORE_TLS_TRUST to a"
            + " file with the certificates that sign it";

    private static String describe(String message, Exception... causes) {
        Throwable cause = null;
        for (Exception each : causes) {
            if (cause != null) {
                each.initCause(cause);
            }
            cause = each;
        }
        SSLException failure = new SSLHandshakeException(message);
        if (cause != null) {
            failure.initCause(cause);
        }
        return TlsFailures.describe(failure);
    }

    @Test
    void causeIsFoundHoweverDeepItIs() {
        assertThat(describe("failed", new CertificateExpiredException("NotAfter: yesterday"), new SSLException("path")))
                .isEqualTo("the peer's certificate has expired: NotAfter: yesterday");
        assertThat(describe("failed", new CertPathBuilderException("unable to find valid path")))
                .isEqualTo(UNTRUSTED);
        assertThat(describe("failed", new SignatureException("does not match"))).isEqualTo(UNTRUSTED);
        assertThat(describe("failed", new CertificateException("No subject alternative names")))
                .isEqualTo("the peer's certificate is for another host: No subject alternative names");
    }

    @Test
    void whatThePeerLacksOrSaysIsNamed() {
        assertThat(TlsFailures.describe(new NotSslRecordException("not an SSL/TLS record: 00")))
                .isEqualTo("the peer does not use TLS");
        assertThat(describe("Empty client certificate chain"))
                .isEqualTo("the peer presents no certificate, and one is required");
        assertThat(describe("Received fatal alert: bad_certificate"))
                .isEqualTo("the peer rejected the connection: Received fatal alert: bad_certificate; its log says why."
                        + " Does it require a certificate (RESILIENCY_STORE_TLS_CERT)?");
    }

    @Test
    void otherFailuresSpeakForThemselves() {
        assertThat(describe("no cipher suites in common", new CertificateException("unsupported")))
                .isEqualTo("no cipher suites in common");
        assertThat(TlsFailures.describe(new SSLException((String) null))).isEqualTo("null");
    }
}
