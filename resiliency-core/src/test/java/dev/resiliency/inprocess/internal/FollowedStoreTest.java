package dev.resiliency.inprocess.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.monitor.spi.StampFile;
import dev.resiliency.monitor.spi.StoreNote;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FollowedStoreTest {
    @TempDir
    private Path directory;

    private StampFile stamps;
    private StoreNote note;
    private TcpStoreServer server;
    private FollowedStore followed;

    @BeforeEach
    void open() throws Exception {
        stamps = StampFile.create(directory.resolve("p0.stamps"), 0);
        server = TcpStoreServer.builder().start();
        note = StoreNote.create(stamps, addressOf(server));
        followed = new FollowedStore(note, Duration.ofSeconds(20));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        stamps.close();
    }

    private static StoreAddress addressOf(TcpStoreServer server) {
        return new StoreAddress("127.0.0.1", server.port(), "");
    }

    @Test
    void opensTheStoreThatTheAgentNamesAndKnowsWhenItNamesAnother() throws Exception {
        assertThat(followed.left()).as("none is open").isNull();
        try (SessionStore store = followed.open(Environment.single(), 0)) {
            assertThat(store.address()).isEqualTo(addressOf(server));
            assertThat(followed.left()).isNull();

            try (TcpStoreServer other = TcpStoreServer.builder().start()) {
                note.write(addressOf(other));

                assertThat(followed.left()).isInstanceOf(StoreLostException.class);
                followed.awaitMove(Environment.single(), 0, Duration.ZERO);
                try (SessionStore there = followed.open(Environment.single(), 0)) {
                    assertThat(there.address()).isEqualTo(addressOf(other));
                }
            }
        }
    }

    @Test
    void waitsNoLongerThanTheLimit() throws Exception {
        followed.open(Environment.single(), 0).close();

        assertThatThrownBy(() -> followed.awaitMove(Environment.single(), 0, Duration.ofMillis(1)))
                .isInstanceOf(StoreLostException.class)
                .hasMessageContaining("the agent of this process has not found another store within 0 s");
    }

    @Test
    void doesNotWaitIfOnlyThisProcessHasLostTheStore() throws Exception {
        FollowedStore impatient = new FollowedStore(note, Duration.ofSeconds(20), Duration.ZERO);
        impatient.open(Environment.single(), 0).close();

        assertThatThrownBy(() -> impatient.awaitMove(Environment.single(), 0, Duration.ofHours(1)))
                .isInstanceOf(StoreLostException.class)
                .hasMessageContaining("this process has lost it, although it is there");
    }

    @Test
    void waitsOnIfTheStoreIsGone() throws Exception {
        FollowedStore impatient = new FollowedStore(note, Duration.ofSeconds(20), Duration.ZERO);
        impatient.open(Environment.single(), 0).close();
        server.close();

        assertThatThrownBy(() -> impatient.awaitMove(Environment.single(), 0, Duration.ofMillis(1)))
                .isInstanceOf(StoreLostException.class)
                .hasMessageContaining("has not found another store");
    }

    @Test
    void noteThatIsNoneIsNamed() throws Exception {
        Files.writeString(directory.resolve("p0.stamps.store"), "nowhere");

        assertThatThrownBy(() -> followed.open(Environment.single(), 0))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the agent of this process does not say where the store is")
                .hasMessageContaining("names no store");
    }
}
