package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.rank.Layer;
import dev.resiliency.inprocess.rank.Tree;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.SessionStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Failures before the first call: each ends in an exception that names the problem and its reason. */
class StartFailuresTest {
    private static final Map<String, String> VARIABLES =
            Map.of("RANK", "1", "WORLD_SIZE", "4", "MASTER_ADDR", "127.0.0.1", "MASTER_PORT", "29500");

    private static Map<String, String> with(String name, String value) {
        Map<String, String> variables = new HashMap<>(VARIABLES);
        variables.put(name, value);
        return variables;
    }

    @Test
    void rankOutsideTheWorldIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environment.fromVariables(with("RANK", "4")))
                .withMessage("RANK is 4, but with WORLD_SIZE 4 it must be from 0 to 3");
    }

    @Test
    void rankThatIsNotANumberIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environment.fromVariables(with("RANK", "first")))
                .withMessage("RANK is \"first\", which is not a whole number");
    }

    @Test
    void missingVariableIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environment.fromVariables(Map.of("RANK", "0", "WORLD_SIZE", "2")))
                .withMessageStartingWith("the variable MASTER_ADDR is not set");
    }

    @Test
    void invalidPortOfTheStoreIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environment.fromVariables(with("MASTER_PORT", "70000")))
                .withMessageStartingWith("MASTER_PORT is 70000");
    }

    @Test
    void portThatTheOthersCouldNotKnowIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environment.fromVariables(with("MASTER_PORT", "0")))
                .withMessage("MASTER_PORT is 0: it must be from 1 to 65535, the same on every rank");
    }

    @Test
    void softTimeoutBeyondTheHardOneIsRejectedWithBothValues() {
        Wrapper.Builder builder = Wrapper.builder()
                .environment(Environment.single())
                .softTimeout(Duration.ofSeconds(90))
                .hardTimeout(Duration.ofSeconds(90));
        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessage("softTimeout is 90.0 s, but it must be less than hardTimeout, which is 90.0 s");
    }

    @Test
    void finalFieldForTheCallWrapperIsRejected() {
        Wrapper wrapper = Wrapper.builder().environment(Environment.single()).build();
        Callable<String> callable = new WithFinalField();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> wrapper.wrap(callable))
                .withMessageContaining("must be of type CallWrapper, neither static nor final");
    }

    @Test
    void portInUseIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            Wrapper wrapper = Wrapper.builder()
                    .environment(new Environment(0, 2, 0, "127.0.0.1", port))
                    .build();
            assertThatThrownBy(() -> wrapper.call(call -> "never"))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("127.0.0.1:" + port)
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void secondJobOfOneProcessOnAPortLearnsThatThisProcessHasIt() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        StoreFactory factory = StoreFactory.hostedByRankZero(Duration.ofSeconds(5));
        Environment environment = new Environment(0, 2, 0, "127.0.0.1", port);
        try (SessionStore first = factory.open(environment, 0)) {
            assertThat(first.address()).isNotNull();
            assertThatThrownBy(() -> factory.open(environment, 1))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("this very process hosts the store of another job at 127.0.0.1:" + port);
        }
        factory.open(environment, 1).close();
    }

    @Test
    void storeThatCannotBeReachedIsNamedWithTheLastError() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Wrapper wrapper = Wrapper.builder()
                .environment(new Environment(1, 2, 1, "127.0.0.1", port))
                .store(StoreFactory.hostedByRankZero(Duration.ofMillis(300)))
                .build();
        assertThatThrownBy(() -> wrapper.call(call -> "never"))
                .isInstanceOf(StoreLostException.class)
                .hasMessageMatching("store at 127.0.0.1:" + port
                        + " could not be reached: tried \\d+ times? in [\\d.]+ s, last error: Connection refused: rank 0 hosts it"
                        + " there, so MASTER_ADDR and MASTER_PORT must be the same for all ranks; here they are .*");
    }

    @Test
    void rankZeroThatCannotJoinHostsTheStoreForLaterRanks() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Tree byRack = new Tree(Layer.root(), Layer.by(initialRank -> {
            if (initialRank == 0) {
                throw new IllegalStateException("no rack");
            }
            return "rack 0";
        }));
        Wrapper.Builder builder = Wrapper.builder()
                .store(StoreFactory.hostedByRankZero(Duration.ofSeconds(20)))
                .rankAssignment(byRack)
                .monitorProcess(false);
        Wrapper zero =
                builder.environment(new Environment(0, 2, 0, "127.0.0.1", port)).build();
        assertThatThrownBy(() -> zero.call(call -> -1))
                .isInstanceOf(ResiliencyException.class)
                .hasMessageContaining("no rack");

        Wrapper one =
                builder.environment(new Environment(1, 2, 1, "127.0.0.1", port)).build();

        assertThat(one.<Integer>call(call -> call.state().worldSize())).isEqualTo(1);
    }

    private static final class WithFinalField implements Callable<String> {
        @InjectCallWrapper
        @SuppressWarnings("UnusedVariable") // rejected before it is used
        private final @Nullable CallWrapper call = null;

        @Override
        public String call() {
            return "never";
        }
    }
}
