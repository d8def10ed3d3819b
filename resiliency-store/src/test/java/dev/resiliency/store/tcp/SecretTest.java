package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Timeout(30)
class SecretTest {
    private static final String TEXT = "0123456789abcdef";

    private static Secret secret(String text) {
        return Secret.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] bytes(Secret secret) {
        return secret.key().getEncoded();
    }

    private static TcpStore.Builder client(TcpStoreServer server) {
        return TcpStore.builder().port(server.port()).scope("job").connectTimeout(Duration.ofSeconds(20));
    }

    private static TcpStoreServer.Builder server() {
        return TcpStoreServer.builder().scope("job");
    }

    // --- its source

    @Test
    void whiteSpaceAroundTheSecretInAFileIsIgnored(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), " \t" + TEXT + " x\r\n\n");

        assertThat(bytes(Secret.ofFile(file))).asString().isEqualTo(TEXT + " x");
    }

    @Test
    void shortSecretIsRefused(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), "0123456789abcde\n");

        assertThatThrownBy(() -> Secret.ofFile(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the secret in " + file + " has 15 bytes; it needs at least 16");
        assertThatThrownBy(() -> Secret.of(new byte[0]))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the secret has 0 bytes");
    }

    @Test
    void missingFileIsNamed(@TempDir Path directory) {
        Path file = directory.resolve("missing");

        assertThatThrownBy(() -> Secret.ofFile(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the secret in '" + file + "' cannot be read");
    }

    @Test
    void fileThatOthersCanReadOrItsGroupCanWriteCausesAWarning(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), TEXT);

        assertThat(logOfReading(file, "rw-------")).isEmpty();
        assertThat(logOfReading(file, "rw-r-----")).isEmpty();
        assertThat(logOfReading(file, "rw-r--r--"))
                .singleElement()
                .asString()
                .contains("[WARN] Every user of this machine can read the secret in " + file)
                .doesNotContain(TEXT);
        assertThat(logOfReading(file, "rw-rw----"))
                .singleElement()
                .asString()
                .contains("[WARN] The group of " + file + " can replace the secret in it")
                .doesNotContain(TEXT);
    }

    private static List<ILoggingEvent> logOfReading(Path file, String permissions) throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(Secret.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        Secret.ofFile(file);
        logger.detachAppender(logged);
        return logged.list;
    }

    @Test
    void fileThatEveryUserCanWriteIsRefused(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), TEXT);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));

        assertThatThrownBy(() -> Secret.ofFile(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("every user of this machine can replace the secret in " + file);
    }

    @Test
    void secretIsACopyAndNeverPrinted() {
        byte[] given = TEXT.getBytes(StandardCharsets.UTF_8);
        Secret secret = Secret.of(given);
        given[0] = 'x';

        assertThat(bytes(secret)).asString().isEqualTo(TEXT);
        assertThat(secret).hasToString("Secret");
    }

    // --- its effect

    @Test
    void clientWithTheSecretIsServedOnAnyAddress() throws Exception {
        try (TcpStoreServer server =
                        server().host("0.0.0.0").secret(secret(TEXT)).start();
                TcpStore store = client(server).secret(secret(TEXT)).connect()) {
            assertThat(store.add("counter", 1)).isEqualTo(1);
        }
    }

    @Test
    void clientWithoutASecretFailsAtOnce() throws Exception {
        try (TcpStoreServer server = server().secret(secret(TEXT)).start()) {
            assertThatThrownBy(() -> client(server).secret(null).connect())
                    .isInstanceOf(StoreException.class)
                    .isNotInstanceOf(StoreLostException.class)
                    .hasMessageContaining("the store at 127.0.0.1:" + server.port()
                            + " requires a secret: set RESILIENCY_STORE_SECRET_FILE to a file");
        }
    }

    @Test
    void wrongSecretFailsAtOnce() throws Exception {
        try (TcpStoreServer server = server().secret(secret(TEXT)).start()) {
            assertThatThrownBy(() -> client(server).secret(secret(TEXT + "x")).connect())
                    .isInstanceOf(StoreException.class)
                    .isNotInstanceOf(StoreLostException.class)
                    .hasMessageContaining(
                            "this client and the store at 127.0.0.1:" + server.port() + " have different secrets");
        }
    }

    @Test
    void serverWithoutTheClientsSecretFailsTheClientAtOnce() throws Exception {
        try (TcpStoreServer server = server().secret(null).start()) {
            assertThatThrownBy(() -> client(server).secret(secret(TEXT)).connect())
                    .isInstanceOf(StoreException.class)
                    .isNotInstanceOf(StoreLostException.class)
                    .hasMessageContaining(
                            "the store at 127.0.0.1:" + server.port() + " has no secret, and this client has one");
        }
    }

    @Test
    void anotherScopeIsRetried() throws Exception {
        try (TcpStoreServer server = server().secret(secret(TEXT)).start()) {
            assertThatThrownBy(() -> client(server)
                            .secret(secret(TEXT))
                            .scope("other")
                            .connectTimeout(Duration.ofMillis(500))
                            .connect())
                    .isInstanceOf(StoreLostException.class)
                    .hasMessageContaining("the server serves the scope 'job', not 'other'");
        }
    }
}
