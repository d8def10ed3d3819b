package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.StoreAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What users read when a store cannot be used. */
class EndpointTest {
    private final IOException refused =
            new ConnectException("finishConnect(..) failed with error(-111): Connection refused: /10.0.0.1:29500");

    private final Endpoint endpoint = new Endpoint(new StoreAddress("node0", 29500, ""));

    @Test
    void lostStoreIsNamedWithHowItWasLost() {
        IOException reset = new IOException("recvAddress(..) failed with error(-104): Connection reset by peer");

        assertThat(endpoint.lost(null)).hasMessage("store at node0:29500 was lost: the server closed the connection");
        StoreLostException lost = endpoint.lost(reset);
        assertThat(lost)
                .hasMessage("store at node0:29500 was lost: Connection reset by peer")
                .hasNoCause();
        assertThat(lost.address()).isEqualTo("node0:29500");
        assertThat(endpoint.lost(new IOException())).hasMessage("store at node0:29500 was lost: IOException");
        assertThat(endpoint.lost(new UnknownHostException("x")))
                .hasMessage("store at node0:29500 was lost: the host node0 is unknown");
        assertThat(endpoint.lost(refused)).hasMessage("store at node0:29500 was lost: Connection refused");
    }

    @Test
    void storeThatCannotBeReachedAgainHasBothReasons() {
        IOException again = new IOException("no route");

        assertThat(endpoint.lost(null, again))
                .hasMessage("store at node0:29500 was lost: the server closed the connection; no route")
                .hasNoCause();
        assertThat(endpoint.restarted(null))
                .hasMessage("store at node0:29500 was lost: the server closed the connection; its server was restarted"
                        + " and has lost its contents")
                .hasNoCause();
    }

    @Test
    void unreachableStoreIsNamedWithTheAttempts() {
        assertThat(endpoint.unreachable(1, Duration.ofMillis(1240), refused))
                .hasMessage("store at node0:29500 could not be reached: tried 1 time in 1.2 s, last error: Connection"
                        + " refused")
                .hasNoCause();
        assertThat(endpoint.unreachable(2, Duration.ofMillis(1250), refused))
                .hasMessageContaining("tried 2 times in 1.3 s");
        assertThat(endpoint.absent(Duration.ofSeconds(61), refused))
                .isEqualTo(
                        "store at node0:29500 has been out of reach for 61 s: Connection refused. Has its host started, with the same port?");
    }

    @Test
    void nobodyIsThereOnlyIfTheHostHasSaidSo() {
        assertThat(Endpoint.isNobodyThere(refused)).isTrue();
        assertThat(Endpoint.isNobodyThere(new ConnectException("Connection timed out")))
                .isFalse();
        assertThat(Endpoint.isNobodyThere(new IOException("Connection refused")))
                .isFalse();
        assertThat(Endpoint.isNobodyThere(new ConnectException())).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3|the store at node0:29500 requires a secret: set RESILIENCY_STORE_SECRET_FILE to a file with that of its server",
                "4|this client and the store at node0:29500 have different secrets: give the same to both",
                "5|the store at node0:29500 has no secret, and this client has one: set RESILIENCY_STORE_SECRET_FILE for the server as well",
                "7|the store at node0:29500 requires TLS: set RESILIENCY_STORE_TLS_TRUST to a file with the certificates that sign its own",
                "8|TLS with the store at node0:29500 failed: why",
                "1|the store at node0:29500 refused: why"
            })
    void refusalSaysWhatToDo(int code, String message) {
        assertThat(endpoint.refused(new RefusedException(code, "why"))).hasMessage(message);
    }

    @Test
    void onlyARefusalOfTheScopeMayPass() {
        assertThat(new RefusedException(Frames.REFUSED_SCOPE, "another job").isFinal())
                .isFalse();
        assertThat(new RefusedException(Frames.REFUSED_WRONG_SECRET, "why").isFinal())
                .isTrue();
        assertThat(new RefusedException(Frames.REFUSED_WRONG_SECRET, "why").code())
                .isEqualTo(4);
    }

    @Test
    void scopeIsShownIfThereIsOne() {
        assertThat(endpoint).hasToString("node0:29500");
        assertThat(new Endpoint(new StoreAddress("node0", 29500, "call-1"))).hasToString("call-1 at node0:29500");
    }
}
