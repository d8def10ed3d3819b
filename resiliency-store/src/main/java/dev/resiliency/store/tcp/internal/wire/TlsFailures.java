package dev.resiliency.store.tcp.internal.wire;

import io.netty.handler.ssl.NotSslRecordException;
import java.security.SignatureException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLException;

/** Explains why the two sides did not agree on TLS, from the view of the side that noticed it. */
public final class TlsFailures {
    private TlsFailures() {}

    public static String describe(SSLException failure) {
        if (failure instanceof NotSslRecordException) {
            return "the peer does not use TLS";
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof CertificateExpiredException) {
                return "the peer's certificate has expired: " + message;
            } else if (isUntrusted(cause)) {
                return "the peer's certificate is not trusted:"
                        + " set RESILIENCY_STORE_TLS_TRUST to a file with the certificates that sign it";
            } else if (cause instanceof CertificateException && message.startsWith("No ")) {
                return "the peer's certificate is for another host: " + message;
            } else if (message.contains("Empty client certificate chain")) {
                return "the peer presents no certificate, and one is required";
            } else if (message.contains("fatal alert:")) {
                return "the peer rejected the connection: " + message
                        + "; its log says why. Does it require a certificate (RESILIENCY_STORE_TLS_CERT)?";
            }
        }
        return String.valueOf(failure.getMessage());
    }

    private static boolean isUntrusted(Throwable cause) {
        // The second text: another authority with the same name.
        return cause instanceof CertPathBuilderException || cause instanceof SignatureException;
    }
}
