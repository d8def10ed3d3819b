package dev.resiliency.store.tcp.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Errors.NativeIoException;
import java.io.IOException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerSilenceTest {

    @ParameterizedTest
    @ValueSource(ints = {-101, -110, -113})
    void kernelTimeoutIsRecognizedByItsError(int error) {
        assumeTrue(Epoll.isAvailable());

        assertThat(PeerSilence.isCauseOf(new NativeIoException("recvAddress", error)))
                .isTrue();
    }

    @Test
    void resetIsNotSilence() {
        assumeTrue(Epoll.isAvailable());

        assertThat(PeerSilence.isCauseOf(new NativeIoException("recvAddress", -104)))
                .isFalse();
    }

    @Test
    void socketsOfTheJdkReportOnlyAText() {
        assertThat(PeerSilence.isCauseOf(new IOException("Connection timed out")))
                .isTrue();
        assertThat(PeerSilence.isCauseOf(new NoRouteToHostException())).isTrue();
        assertThat(PeerSilence.isCauseOf(new SocketException("Connection reset")))
                .isFalse();
        assertThat(PeerSilence.isCauseOf(new IOException())).isFalse();
    }
}
