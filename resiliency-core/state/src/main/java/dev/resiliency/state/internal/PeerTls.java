package dev.resiliency.state.internal;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** TLS between ranks: the server presents its {@link PeerCertificate}, and the client proves itself by its secret afterwards. */
final class PeerTls {
    private static final String PROTOCOL = "TLSv1.3";
    private static final String ALIAS = "rank";

    private PeerTls() {}

    static SSLEngine server(PeerCertificate certificate) {
        return engine(new OneKey(certificate), null, false);
    }

    /** @param fingerprint that of the certificate which the server must present */
    static SSLEngine client(String fingerprint) {
        return engine(null, new OneCertificate(fingerprint), true);
    }

    private static SSLEngine engine(@Nullable KeyManager key, @Nullable TrustManager trust, boolean isClient) {
        try {
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(
                    key == null ? null : new KeyManager[] {key},
                    trust == null ? null : new TrustManager[] {trust},
                    null);
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(isClient);
            engine.setEnabledProtocols(new String[] {PROTOCOL});
            return engine;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has TLS 1.3", impossible);
        }
    }

    private static final class OneKey extends X509ExtendedKeyManager {
        private final PeerCertificate certificate;

        OneKey(PeerCertificate certificate) {
            this.certificate = certificate;
        }

        @Override
        public @Nullable String chooseEngineServerAlias(String type, Principal @Nullable [] issuers, SSLEngine engine) {
            return type.equals(certificate.key().getAlgorithm()) ? ALIAS : null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[] {certificate.certificate()};
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return certificate.key();
        }

        @Override
        public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
            return null;
        }

        @Override
        public @Nullable String chooseClientAlias(
                String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }

        @Override
        public String[] getServerAliases(String type, Principal @Nullable [] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public @Nullable String chooseServerAlias(
                String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }
    }

    private static final class OneCertificate extends X509ExtendedTrustManager {
        private final String fingerprint;

        OneCertificate(String fingerprint) {
            this.fingerprint = fingerprint;
        }

        private void check(X509Certificate[] chain) throws CertificateException {
            if (chain.length != 1 || !PeerCertificate.fingerprint(chain[0]).equals(fingerprint)) {
                throw new CertificateException("the peer has another certificate than the store says");
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw noClient();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            throw noClient();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw noClient();
        }

        private static CertificateException noClient() {
            return new CertificateException("clients present no certificate");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
