package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.launcher.rendezvous.Master;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RankVariablesTest {
    private static final Seat SEAT = new Seat(0, 1, 2, 4);

    private static final Master MASTER = new Master("host1", 40001);

    @Test
    void variablesAreThoseOfTorchrun() {
        Map<String, String> variables = new RankVariables("job7", new StoreAddress("host0", 29400, ""), 10)
                .of(SEAT, MASTER, 3, 2, OptionalInt.empty());

        assertThat(variables)
                .containsEntry("RANK", "7")
                .containsEntry("LOCAL_RANK", "3")
                .containsEntry("GROUP_RANK", "1")
                .containsEntry("ROLE_RANK", "7")
                .containsEntry("WORLD_SIZE", "8")
                .containsEntry("LOCAL_WORLD_SIZE", "4")
                .containsEntry("ROLE_WORLD_SIZE", "8")
                .containsEntry("GROUP_WORLD_SIZE", "2")
                .containsEntry("MASTER_ADDR", "host1")
                .containsEntry("MASTER_PORT", "40001")
                .containsEntry("TORCHELASTIC_RESTART_COUNT", "2")
                .containsEntry("TORCHELASTIC_MAX_RESTARTS", "10")
                .containsEntry("TORCHELASTIC_RUN_ID", "job7")
                .containsEntry("TORCHELASTIC_USE_AGENT_STORE", "False")
                .containsEntry("RESILIENCY_JOB_ID", "job7")
                .containsEntry("RESILIENCY_STORE", "host0:29400")
                .doesNotContainKey("RESILIENCY_PROMISE");
    }

    @Test
    void ranksUnderstandThem() {
        Map<String, String> variables = new RankVariables("job7", new StoreAddress("fd00::1", 29400, ""), 10)
                .of(SEAT, MASTER, 0, 0, OptionalInt.of(12));

        assertThat(Environment.fromVariables(variables)).isEqualTo(new Environment(4, 8, 0, "fd00::1", 29400, "job7"));
        assertThat(StoreFactory.byDefault(variables, Duration.ofSeconds(1))).isNotNull();
        assertThat(variables)
                .containsEntry("RESILIENCY_PROMISE", "12")
                .containsEntry("RESILIENCY_STORE", "[fd00::1]:29400");
    }

    @Test
    void spareProcessHasAValidRank() {
        Map<String, String> variables = new RankVariables("job7", new StoreAddress("host0", 29400, ""), 10)
                .of(SEAT, MASTER, 4, 0, OptionalInt.empty());

        assertThat(Environment.fromVariables(variables).rank()).isEqualTo(4);
        assertThat(variables).containsEntry("LOCAL_RANK", "4");
    }
}
