package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.HealthSettings;
import dev.resiliency.launcher.RestartPolicy;
import dev.resiliency.launcher.agent.AgentAction.AwaitMemory;
import dev.resiliency.launcher.agent.AgentAction.Leave;
import dev.resiliency.launcher.agent.AgentAction.Note;
import dev.resiliency.launcher.agent.AgentAction.Start;
import dev.resiliency.launcher.agent.AgentAction.TakeSeat;
import dev.resiliency.launcher.agent.AgentEvent.CycleCalled;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Granted;
import dev.resiliency.launcher.agent.AgentEvent.MemoryFree;
import dev.resiliency.launcher.agent.AgentEvent.Promised;
import dev.resiliency.launcher.agent.AgentEvent.Seated;
import dev.resiliency.launcher.agent.AgentEvent.StopAsked;
import dev.resiliency.launcher.agent.AgentEvent.Tick;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.rendezvous.Seat;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** An agent of one rank that waits for the memory of the GPUs, stepped with a clock that only the test moves. */
class AgentMemoryTest {
    private static final Note FREE = new Note("free");

    private long now = 42;

    private Agent agent(RestartPolicy policy) {
        Agent agent = new Agent(
                SettingsFixture.settings(1, 0, policy, failures -> Duration.ofSeconds(1), true),
                new NodeHealth(HealthSettings.builder().build(), false, () -> now),
                () -> now);
        on(agent, new Seated(new Seat(0, 0, 1, 1)));
        return agent;
    }

    private static List<AgentAction> on(Agent agent, AgentEvent event) {
        return agent.on(event).actions();
    }

    private List<AgentAction> end(Agent agent) {
        return on(agent, new Ended(0, ExitReason.of(1), now));
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void nextCycleWaitsForTheMemoryAndTheBackoff() {
        Agent agent = agent(RestartPolicy.HARD);
        on(agent, new CycleCalled(1, "rank 0 failed"));
        assertThat(end(agent)).last().isEqualTo(new AwaitMemory());
        assertThat(agent.untilTick()).isEmpty();

        pass(Duration.ofSeconds(5));
        assertThat(on(agent, new Tick())).isEmpty();
        assertThat(on(agent, new MemoryFree("free"))).containsExactly(FREE, new TakeSeat(1));
    }

    @Test
    void backoffIsWaitedForWhenTheMemoryIsFree() {
        Agent agent = agent(RestartPolicy.HARD);
        on(agent, new CycleCalled(1, "rank 0 failed"));
        end(agent);

        assertThat(on(agent, new MemoryFree("free"))).containsExactly(FREE);
        assertThat(agent.untilTick()).contains(Duration.ofSeconds(1));
        pass(Duration.ofSeconds(1));
        assertThat(on(agent, new Tick())).containsExactly(new TakeSeat(1));
    }

    @Test
    void wholeNodeWaitsForTheMemory() {
        Agent agent = agent(RestartPolicy.SOFT_NO_REPLACE);
        assertThat(end(agent)).last().isEqualTo(new AwaitMemory());
        on(agent, new Granted(new Target.Node(), 1));
        pass(Duration.ofSeconds(1));
        assertThat(on(agent, new Tick())).isEmpty();

        assertThat(on(agent, new MemoryFree("free"))).hasSize(2).last().isInstanceOf(Start.class);
        assertThat(on(agent, new MemoryFree("free"))).isEmpty();
    }

    @Test
    void cycleThatIsCalledMeanwhileWaitsAnew() {
        Agent agent = agent(RestartPolicy.HARD);
        on(agent, new CycleCalled(1, "rank 0 failed"));
        end(agent);

        assertThat(on(agent, new CycleCalled(2, "rank 7 failed"))).last().isEqualTo(new AwaitMemory());
        pass(Duration.ofSeconds(1));
        assertThat(on(agent, new MemoryFree("free"))).containsExactly(FREE, new TakeSeat(2));
    }

    @Test
    void agentThatIsAskedToEndDoesNotWait() {
        Agent agent = agent(RestartPolicy.HARD);
        on(agent, new CycleCalled(1, "rank 0 failed"));
        end(agent);

        assertThat(on(agent, new StopAsked("TERM"))).last().isInstanceOf(Leave.class);
        assertThat(on(agent, new MemoryFree("free"))).isEmpty();
    }

    @Test
    void rankThatStartsAgainAloneDoesNotWait() {
        Agent agent = agent(RestartPolicy.SOFT);
        end(agent);
        on(agent, new Granted(new Target.One(0), 1));
        on(agent, new Promised(0, 1, OptionalInt.empty()));
        pass(Duration.ofSeconds(1));

        assertThat(on(agent, new Tick())).singleElement().isInstanceOf(Start.class);
    }
}
