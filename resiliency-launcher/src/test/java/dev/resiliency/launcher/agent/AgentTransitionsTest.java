package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.launcher.HealthSettings;
import dev.resiliency.launcher.agent.AgentAction.AskRestart;
import dev.resiliency.launcher.agent.AgentAction.EndJob;
import dev.resiliency.launcher.agent.AgentAction.ShareProgress;
import dev.resiliency.launcher.agent.AgentEvent.Asked;
import dev.resiliency.launcher.agent.AgentEvent.Begun;
import dev.resiliency.launcher.agent.AgentEvent.CallAnswered;
import dev.resiliency.launcher.agent.AgentEvent.Checked;
import dev.resiliency.launcher.agent.AgentEvent.CycleCalled;
import dev.resiliency.launcher.agent.AgentEvent.Drained;
import dev.resiliency.launcher.agent.AgentEvent.EndAdvised;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Failed;
import dev.resiliency.launcher.agent.AgentEvent.Founded;
import dev.resiliency.launcher.agent.AgentEvent.Free;
import dev.resiliency.launcher.agent.AgentEvent.Granted;
import dev.resiliency.launcher.agent.AgentEvent.JobEnded;
import dev.resiliency.launcher.agent.AgentEvent.MemoryFree;
import dev.resiliency.launcher.agent.AgentEvent.NodeGone;
import dev.resiliency.launcher.agent.AgentEvent.NodeLost;
import dev.resiliency.launcher.agent.AgentEvent.Notified;
import dev.resiliency.launcher.agent.AgentEvent.Overdue;
import dev.resiliency.launcher.agent.AgentEvent.ProgressShared;
import dev.resiliency.launcher.agent.AgentEvent.Promised;
import dev.resiliency.launcher.agent.AgentEvent.SeatGiven;
import dev.resiliency.launcher.agent.AgentEvent.Seated;
import dev.resiliency.launcher.agent.AgentEvent.ShowsNothing;
import dev.resiliency.launcher.agent.AgentEvent.Started;
import dev.resiliency.launcher.agent.AgentEvent.StopAsked;
import dev.resiliency.launcher.agent.AgentEvent.Tick;
import dev.resiliency.launcher.agent.AgentEvent.WentOn;
import dev.resiliency.launcher.agent.AgentEvent.Wrapped;
import dev.resiliency.launcher.health.Finding;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.ProcessState;
import dev.resiliency.launcher.rendezvous.CycleCall;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.monitor.RankMonitorClient.WorkloadAction;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each stage of an agent beside each event. The node has one rank, which starts again without a delay. */
class AgentTransitionsTest {
    private static final List<String> STAGES =
            List.of("AwaitingSeat", "Running", "Completed", "Regrouping", "Ending", "Leaving");

    /** The stage that follows; {@code .} if the stage lasts, {@code !} if the event cannot happen in it. */
    private static final String TABLE = """
            event             AwaitingSeat Running      Completed    Regrouping   Ending       Leaving
            Begun             .            .            .            .            .            .
            Checked           .            .            .            .            .            .
            Checked, full     Leaving      Ending       .            Ending       .            .
            SeatGiven         .            .            .            .            .            .
            Seated            Running      .            .            .            .            .
            Founded           .            .            .            .            .            .
            Started           .            .            .            .            .            .
            Ended, 0          .            Completed    !            AwaitingSeat Leaving      .
            Ended, 1          .            .            !            AwaitingSeat Leaving      .
            Ended, 93         .            Leaving      !            AwaitingSeat Leaving      .
            Wrapped           .            .            .            .            .            .
            Wrapped, not      .            .            .            .            .            .
            ProgressShared    .            .            .            .            .            .
            ProgressShared, 3 Leaving      Ending       .            Ending       .            .
            Granted           .            .            .            .            .            .
            Granted, 0        Leaving      Ending       .            Ending       .            .
            Promised          .            .            .            .            .            .
            CallAnswered      .            .            .            .            .            .
            StopAsked         Leaving      Ending       Leaving      Ending       .            .
            Notified          .            .            .            .            .            .
            JobEnded          Leaving      Ending       Leaving      Ending       .            .
            CycleCalled, 1    .            Regrouping   AwaitingSeat .            .            .
            CycleCalled, 2    .            Regrouping   AwaitingSeat .            .            .
            Drained           Leaving      Ending       Leaving      Ending       .            .
            MemoryFree        .            .            .            .            .            .
            Overdue           .            .            .            .            .            .
            ShowsNothing      .            .            .            .            .            .
            Asked             Leaving      Ending       .            Ending       .            .
            EndAdvised        .            .            .            .            .            .
            NodeGone          .            .            .            .            .            .
            NodeLost          .            .            .            .            .            .
            Failed            Leaving      Ending       Leaving      Ending       .            .
            Failed, moves     .            .            Leaving      .            .            .
            WentOn            Leaving      Leaving      .            Leaving      .            .
            Free              !            !            !            !            !            .
            Tick              .            .            .            .            .            .
            """;

    private static final Target RANK = new Target.One(0);
    private static final Map<String, AgentEvent> EVENTS = new LinkedHashMap<>();

    static {
        Seat seat = new Seat(0, 0, 2, 1);
        EVENTS.put("Begun", new Begun());
        EVENTS.put("Checked", new Checked(List.of()));
        EVENTS.put("Checked, full", new Checked(List.of(new Finding(Finding.Severity.FAILURE, "disk", "full"))));
        EVENTS.put("SeatGiven", new SeatGiven(seat));
        EVENTS.put("Seated", new Seated(seat));
        EVENTS.put("Founded", new Founded());
        EVENTS.put("Started", new Started(0, 100));
        EVENTS.put("Ended, 0", new Ended(0, ExitReason.of(0), 0));
        EVENTS.put(
                "Ended, 1", new Ended(0, ExitReason.of(1), Duration.ofHours(1).toNanos()));
        EVENTS.put("Ended, 93", new Ended(0, ExitReason.of(93), 0));
        EVENTS.put("Wrapped", new Wrapped(RANK, true));
        EVENTS.put("Wrapped, not", new Wrapped(RANK, false));
        EVENTS.put("ProgressShared", new ProgressShared(RANK, "17 rank-0=1"));
        EVENTS.put("ProgressShared, 3", new ProgressShared(RANK, "17 rank-0=3"));
        EVENTS.put("Granted", new Granted(RANK, 1));
        EVENTS.put("Granted, 0", new Granted(RANK, 0));
        EVENTS.put("Promised", new Promised(0, 1, OptionalInt.empty()));
        EVENTS.put("CallAnswered", new CallAnswered(CycleCall.FIRST));
        EVENTS.put("StopAsked", new StopAsked("TERM"));
        EVENTS.put("Notified", new Notified("USR1"));
        EVENTS.put("JobEnded", new JobEnded(0, "it has completed"));
        EVENTS.put("CycleCalled, 1", new CycleCalled(1, "rank 1 failed"));
        EVENTS.put("CycleCalled, 2", new CycleCalled(2, "rank 1 failed"));
        EVENTS.put("Drained", new Drained("resiliency drain"));
        EVENTS.put("MemoryFree", new MemoryFree("free"));
        EVENTS.put("Overdue", new Overdue(0, "late"));
        EVENTS.put("ShowsNothing", new ShowsNothing(0));
        EVENTS.put("Asked", new Asked(0, WorkloadAction.EXCLUDE_THIS_NODE, "ECC errors"));
        EVENTS.put("EndAdvised", new EndAdvised("NaN"));
        EVENTS.put("NodeGone", new NodeGone("node b is lost"));
        EVENTS.put("NodeLost", new NodeLost("b"));
        EVENTS.put("Failed", new Failed(Failed.Cause.STORE_LOST, "closed"));
        EVENTS.put("Failed, moves", new Failed(Failed.Cause.STORE_MOVES, "closed"));
        EVENTS.put("WentOn", new WentOn(Set.of(0), "closed"));
        EVENTS.put("Free", new Free());
        EVENTS.put("Tick", new Tick());
    }

    private static Agent agent(String stage) {
        Agent agent = new Agent(
                SettingsFixture.soft(1, 0, "KILL", 3),
                new NodeHealth(HealthSettings.builder().build(), true, () -> 0),
                () -> 0);
        agent.on(new Begun());
        agent.on(new Checked(List.of()));
        Stream<AgentEvent> way = switch (stage) {
            case "AwaitingSeat" -> Stream.of();
            case "Running" -> Stream.of(event("Seated"), event("Started"));
            case "Completed" -> Stream.of(event("Seated"), event("Started"), event("Ended, 0"));
            case "Regrouping" -> Stream.of(event("Seated"), event("Started"), event("CycleCalled, 1"));
            case "Ending" -> Stream.of(event("Seated"), event("Started"), event("Drained"));
            default -> Stream.of(event("Drained"));
        };
        way.forEach(agent::on);
        assertThat(agent.state().stage()).isEqualTo(stage);
        return agent;
    }

    private static String after(String stage, AgentEvent event) {
        try {
            String next = agent(stage).on(event).after().stage();
            return next.equals(stage) ? "." : next;
        } catch (IllegalStateException unexpected) {
            return "!";
        }
    }

    private static String row(String first, Stream<String> cells) {
        return "%-18s%s"
                .formatted(first, cells.map("%-13s"::formatted).collect(Collectors.joining()))
                .strip();
    }

    private static AgentEvent event(String name) {
        return Objects.requireNonNull(EVENTS.get(name));
    }

    @Test
    void eachEventLeadsFromEachStageWhereTheTableSays() {
        String table = Stream.concat(
                        Stream.of(row("event", STAGES.stream())),
                        EVENTS.entrySet().stream()
                                .map(each -> row(
                                        each.getKey(), STAGES.stream().map(stage -> after(stage, each.getValue())))))
                .collect(Collectors.joining("\n"));

        assertThat(table).isEqualTo(TABLE.strip());
    }

    private static Stream<Class<?>> kinds(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(AgentTransitionsTest::kinds)
                : Stream.of(type);
    }

    @Test
    void tableHasAllKindsOfEvents() {
        assertThat(EVENTS.values().stream().map(Object::getClass).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(kinds(AgentEvent.class).collect(Collectors.toSet()));
    }

    @Test
    void eventThatCannotHappenIsADefectWhichShowsTheStepsBefore() {
        Agent agent = agent("Ending");

        assertThatThrownBy(() -> agent.on(new Free()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Free[] cannot be handled in Ending")
                .hasMessageContaining("AwaitingSeat + Seated[")
                .hasMessageContaining("Running + Drained[reason=resiliency drain] -> Ending [Warn[");
    }

    @Test
    void stepHasTheNodeBeforeAndAfter() {
        AgentStep step = agent("AwaitingSeat").on(event("Seated"));

        assertThat(step.before().seat()).isNull();
        assertThat(step.after().seat()).isEqualTo(new Seat(0, 0, 2, 1));
        assertThat(step.before().processes()).extracting(NodeState.Slot::name).containsExactly("process 0");
        assertThat(step.after().processes()).extracting(NodeState.Slot::name).containsExactly("rank 0");
        assertThat(step.after().processes().get(0).state()).isEqualTo(ProcessState.RUNNING);
    }

    @Test
    void restartIsAskedForOnceTheJobGetsOnAndEndsItOtherwise() {
        Agent agent = agent("Running");
        agent.on(event("Ended, 1"));

        assertThat(agent.on(event("Wrapped")).actions()).containsExactly(new ShareProgress(RANK, "rank-0"));
        assertThat(agent.on(event("ProgressShared")).actions()).containsExactly(new AskRestart(RANK));
        assertThat(agent.on(event("ProgressShared, 3")).actions())
                .contains(new EndJob(93, "the job makes no progress: 3 restarts in a row, and no step higher than 17"));
    }

    @Test
    void cycleIsPaidForByTheAgentThatHasCalledIt() {
        Agent agent = agent("Ending");

        assertThat(agent.on(new CallAnswered(CycleCall.LATE)).actions()).isEmpty();
        assertThat(agent.on(new CallAnswered(CycleCall.FIRST)).actions())
                .containsExactly(new ShareProgress(new Target.Job(), "job"));
    }

    @Test
    void attributionServiceEndsTheJobInAnyStage() {
        for (String stage : STAGES) {
            assertThat(agent(stage).on(new EndAdvised("NaN")).actions()).contains(new EndJob(93, "NaN"));
        }
    }
}
