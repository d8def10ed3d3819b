package dev.resiliency.inprocess.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LostConnectionTest {
    static Stream<Throwable> lost() {
        return Stream.of(
                new EOFException(),
                new SocketException("Connection reset"),
                new ConnectException("Connection refused"),
                new SocketTimeoutException("Read timed out"),
                new AsynchronousCloseException(),
                new IOException("Broken pipe"),
                new IOException("recvAddress(..) failed with error(-104): Connection reset by peer"),
                new IllegalStateException("the ring is broken", new ExecutionException(new EOFException())));
    }

    @ParameterizedTest
    @MethodSource("lost")
    void connectionThatEndedIsRecognized(Throwable thrown) {
        assertThat(LostConnection.isCauseOf(thrown)).isTrue();
    }

    static Stream<Throwable> others() {
        return Stream.of(
                new IllegalStateException("loss is NaN"),
                new IllegalStateException("Broken pipe"),
                new FileNotFoundException("data.bin"),
                new IOException());
    }

    @ParameterizedTest
    @MethodSource("others")
    void otherFaultsAreNone(Throwable thrown) {
        assertThat(LostConnection.isCauseOf(thrown)).isFalse();
    }

    @Test
    void exceptionThatDoesNotTellItsCauseIsNone() {
        Exception thrown = new Exception("of a user") {
            private static final long serialVersionUID = 1;

            @Override
            public synchronized Throwable getCause() {
                throw new IllegalStateException("no cause");
            }
        };

        assertThat(LostConnection.isCauseOf(thrown)).isFalse();
    }

    @Test
    void circleOfCausesEnds() {
        Exception one = new Exception("one");
        one.initCause(new Exception("two", one));

        assertThat(LostConnection.isCauseOf(one)).isFalse();
    }
}
