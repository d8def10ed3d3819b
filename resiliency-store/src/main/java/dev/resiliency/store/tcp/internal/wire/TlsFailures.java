package dev.resiliency.store.tcp.internal.wire;

import io.netty.handler.ssl.NotSslRecordException;
import java.security.SignatureException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLException;

/** Why two sides did not agree on TLS, in the words of the one that noticed it. */
public final class TlsFailures {
    private TlsFailures() {}

    public static String describe(SSLException failure) {
        if (failure instanceof NotSslRecordException) {
            return "the other side does not speak TLS";
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof CertificateExpiredException) {
                return "the other side's certificate has expired: " + message;
            } else if (isUntrusted(cause)) {
                return "nobody whom this side trusts vouches for the other side's certificate:"
                        + " RESILIENCY_STORE_TLS_TRUST names the file of those who do";
            } else if (cause instanceof CertificateException && message.startsWith("No ")) {
                return "the other side's certificate is for another host: " + message;
            } else if (message.contains("Empty client certificate chain")) {
                return "the other side shows no certificate, and this side wants one";
            } else if (message.contains("fatal alert:")) {
                return "the other side does not accept this one: " + message
                        + "; its log says why. Does it want a certificate (RESILIENCY_STORE_TLS_CERT)?";
            }
        }
        return String.valueOf(failure.getMessage());
    }

    private static boolean isUntrusted(Throwable cause) {
        // The second: another authority of the same name.
        return cause instanceof CertPathBuilderException || cause instanceof SignatureException;
    }
}
