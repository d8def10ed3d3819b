package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.BackgroundLog;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Encrypted connections, with certificates that are made here. */
@Timeout(60)
class TlsTest {
    private static final String SECRET = "0123456789abcdef";
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private static Path directory;

    private static Path trust;
    private static Tls server;
    private static Tls ofOthers;
    private static Tls ofImpostor;
    private static Tls expired;
    private static Tls ofAnotherHost;

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeAll
    static void makeCertificates() throws Exception {
        X509Bundle authority = authority("authority");
        trust = directory.resolve("trust.pem");
        Files.writeString(trust, authority.getRootCertificatePEM());
        server = tls("server", certificate("127.0.0.1").buildIssuedBy(authority));
        ofOthers = tls("others", certificate("127.0.0.1").buildIssuedBy(authority("others")));
        ofImpostor = tls("impostor", certificate("127.0.0.1").buildIssuedBy(authority("authority")));
        ofAnotherHost = tls("host", certificate("127.0.0.2").buildIssuedBy(authority));
        Instant now = Instant.now();
        expired = tls(
                "expired",
                certificate("127.0.0.1")
                        .notBefore(now.minus(2, ChronoUnit.DAYS))
                        .notAfter(now.minus(1, ChronoUnit.DAYS))
                        .buildIssuedBy(authority));
    }

    private static X509Bundle authority(String name) throws Exception {
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=" + name)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    private static CertificateBuilder certificate(String address) {
        return new CertificateBuilder().ecp256().subject("CN=store").addSanIpAddress(address);
    }

    private static Tls tls(String name, X509Bundle bundle) throws Exception {
        Path certificate = Files.writeString(directory.resolve(name + ".pem"), bundle.getCertificatePathPEM());
        Path key = Files.writeString(directory.resolve(name + ".key"), bundle.getPrivateKeyPEM());
        return Tls.create().certificate(certificate, key);
    }

    private static Tls trusting() {
        return Tls.create().trust(trust);
    }

    @BeforeEach
    void watchLog() {
        BackgroundLog.flush(Duration.ofSeconds(10)); // lines of earlier tests
        logged.start();
        logger().addAppender(logged);
    }

    @AfterEach
    void leaveLog() {
        logger().detachAppender(logged);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("dev.resiliency.store.tcp.internal.server.ServerConnection");
    }

    private static TcpStoreServer.Builder serving(@Nullable Tls tls) {
        return TcpStoreServer.builder().tls(tls);
    }

    private static TcpStore.Builder client(TcpStoreServer server, @Nullable Tls tls) {
        return TcpStore.builder().port(server.port()).tls(tls).connectTimeout(Duration.ofSeconds(20));
    }

    /** Asserts that the client fails at once with {@code error}, and that the server logs {@code log}. */
    private void assertRefused(@Nullable Tls ofServer, @Nullable Tls ofClient, String error, String log)
            throws Exception {
        try (TcpStoreServer running = serving(ofServer).start()) {
            assertThatThrownBy(() -> client(running, ofClient).connect())
                    .isInstanceOf(StoreException.class)
                    .isNotInstanceOf(StoreLostException.class)
                    .hasMessageContaining(error)
                    .hasMessageContaining("the store at 127.0.0.1:" + running.port());
            await().atMost(LONG).until(() -> !warnings().isEmpty()); // a server that closes reads no alert any more
        }
        assertThat(warnings()).singleElement().asString().contains("[WARN]").contains(log);
    }

    private List<ILoggingEvent> warnings() {
        return List.copyOf(logged.list).stream()
                .filter(line -> line.getLevel() == Level.WARN)
                .toList();
    }

    @Test
    void encryptedStoreServesOnAnyAddress() throws Exception {
        Tls mutual = server.trust(trust);
        try (TcpStoreServer running = serving(mutual).host("0.0.0.0").start();
                TcpStore store = client(running, mutual).connect()) {
            store.set("key", Value.of(new byte[8 << 20]));
            assertThat(store.get("key").size()).isEqualTo(8 << 20);
        }
    }

    @Test
    void secretIsProvenThroughTls() throws Exception {
        Secret secret = Secret.of(SECRET.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        try (TcpStoreServer running = serving(server).secret(secret).start();
                TcpStore store = client(running, trusting()).secret(secret).connect()) {
            assertThat(store.add("counter", 1)).isEqualTo(1);
            assertThatThrownBy(() -> client(running, trusting()).connect()).hasMessageContaining("requires a secret");
        }
    }

    @Test
    void serverWithTrustRequiresAClientCertificate() throws Exception {
        try (TcpStoreServer running = serving(server.trust(trust)).start();
                TcpStore store = client(running, server.trust(trust)).connect()) {
            assertThat(store.add("counter", 1)).isEqualTo(1);
        }
        assertRefused(
                server.trust(trust),
                trusting(),
                "the peer rejected the connection",
                "the peer presents no certificate, and one is required");
    }

    @Test
    void foreignClientCertificateIsRejected() throws Exception {
        assertRefused(
                server.trust(trust),
                ofImpostor.trust(trust),
                "the peer rejected the connection",
                "the peer's certificate is not trusted");
    }

    @Test
    void foreignServerCertificateIsRejected() throws Exception {
        assertRefused(
                ofOthers, trusting(), "the peer's certificate is not trusted", "the peer rejected the connection");
    }

    @Test
    void authorityOfTheSameNameIsNotTrusted() throws Exception {
        assertRefused(
                ofImpostor, trusting(), "the peer's certificate is not trusted", "the peer rejected the connection");
    }

    @Test
    void expiredCertificateIsRefused() throws Exception {
        assertRefused(expired, trusting(), "certificate has expired", "the peer rejected the connection");
    }

    @Test
    void certificateForAnotherHostIsRefused() throws Exception {
        assertRefused(
                ofAnotherHost,
                trusting(),
                "the peer's certificate is for another host",
                "the peer rejected the connection");

        try (TcpStoreServer running = serving(ofAnotherHost).start();
                TcpStore store =
                        client(running, trusting().checkHostName(false)).connect()) {
            assertThat(store.add("counter", 1)).isEqualTo(1);
        }
    }

    @Test
    void clientWithoutTlsLearnsThatItNeedsTls() throws Exception {
        assertRefused(
                server, null, "requires TLS: set RESILIENCY_STORE_TLS_TRUST to a file", "the client does not use it");
    }

    @Test
    void serverWithoutTlsSaysSo() throws Exception {
        assertRefused(null, trusting(), "the peer does not use TLS", "the client uses TLS, and the server does not");
    }

    @Test
    void interruptedHandshakeIsRetried() throws Exception {
        try (java.net.ServerSocket listener = new java.net.ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread cutting = new Thread(() -> {
                try {
                    while (true) {
                        Socket socket = listener.accept();
                        socket.getInputStream().read();
                        socket.close();
                    }
                } catch (java.io.IOException closed) {
                    // the test is over
                }
            });
            cutting.start();

            assertThatThrownBy(() -> TcpStore.builder()
                            .port(listener.getLocalPort())
                            .tls(trusting())
                            .connectTimeout(Duration.ofSeconds(1))
                            .connect())
                    .isInstanceOf(StoreLostException.class)
                    .hasMessageContaining("could not be reached");
        }
    }

    @Test
    void encryptionAloneIsRefusedWhereOtherMachinesConnect() {
        assertThatThrownBy(() -> serving(server).host("0.0.0.0").start())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("0.0.0.0:0 can be reached from other machines")
                .hasMessageContaining("TLS without trusted certificates serves whoever reaches it")
                .hasMessageContaining("RESILIENCY_STORE_TLS_TRUST")
                .hasMessageContaining("RESILIENCY_STORE_SECRET_FILE");
    }

    @Test
    void encryptionWithASecretOrInsecureServesOnAnyAddress() throws Exception {
        Secret secret = Secret.of(SECRET.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        try (TcpStoreServer safe =
                        serving(server).host("0.0.0.0").secret(secret).start();
                TcpStoreServer open =
                        serving(server).host("0.0.0.0").insecure(true).start()) {
            assertThat(safe.port()).isNotEqualTo(open.port());
        }
    }

    @Test
    void keyOfAnotherCertificateIsFoundAtTheStart() throws Exception {
        Tls other = tls(
                "rsa",
                new CertificateBuilder()
                        .rsa2048()
                        .subject("CN=store")
                        .setIsCertificateAuthority(true)
                        .buildSelfSigned());
        for (Path key : List.of(Objects.requireNonNull(ofOthers.key()), Objects.requireNonNull(other.key()))) {
            Tls mixed = Tls.create().certificate(Objects.requireNonNull(server.certificates()), key);

            assertThatThrownBy(() -> serving(mixed).start())
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("key '" + key + "'")
                    .hasMessageContaining("the key is not that of the certificate");
            assertThatThrownBy(() -> TcpStore.builder().port(1).tls(mixed).connect())
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the key is not that of the certificate");
        }
        serving(other).start().close();
    }

    @Test
    void olderVersionThanOneWithoutRenegotiationIsRefused() throws Exception {
        try (TcpStoreServer running = serving(server).start();
                SSLSocket socket =
                        (SSLSocket) SSLContext.getDefault().getSocketFactory().createSocket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), running.port()));
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});

            assertThatThrownBy(socket::startHandshake)
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("protocol_version");
        }
    }

    @Test
    void keyThatEveryUserCanReplaceIsRefused() throws Exception {
        Path key = Files.writeString(
                directory.resolve("open.key"), Files.readString(Objects.requireNonNull(server.key())));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw----rw-"));

        assertThatThrownBy(() -> Tls.create().certificate(Objects.requireNonNull(server.certificates()), key))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("every user of this machine can replace the private key in " + key);
        assertThatThrownBy(() -> Tls.ofFiles(server.certificates(), key, null))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("every user of this machine can replace the private key in " + key);
    }

    @Test
    void unusableFilesAreNamed() throws Exception {
        Path missing = directory.resolve("missing");
        Path text = Files.writeString(directory.resolve("text"), "text");

        assertThatThrownBy(() ->
                        serving(Tls.create().certificate(missing, missing)).start())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the certificate file '" + missing + "' cannot be read");
        assertThatThrownBy(() -> serving(Tls.create().certificate(text, text)).start())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("certificate '" + text + "'")
                .hasMessageContaining("PEM");
        assertThatThrownBy(() -> serving(trusting()).start())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("a server needs a certificate");
        assertThatThrownBy(() -> Tls.ofFiles(text, null, null))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("only the certificate is given");
    }
}
