package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.HealthSettings;
import dev.resiliency.launcher.RestartPolicy;
import dev.resiliency.launcher.agent.AgentAction.AnnounceLeave;
import dev.resiliency.launcher.agent.AgentAction.Arrive;
import dev.resiliency.launcher.agent.AgentAction.AskRestart;
import dev.resiliency.launcher.agent.AgentAction.AskWrapped;
import dev.resiliency.launcher.agent.AgentAction.AwaitFounders;
import dev.resiliency.launcher.agent.AgentAction.CallCycle;
import dev.resiliency.launcher.agent.AgentAction.Check;
import dev.resiliency.launcher.agent.AgentAction.Complete;
import dev.resiliency.launcher.agent.AgentAction.EndJob;
import dev.resiliency.launcher.agent.AgentAction.Exit;
import dev.resiliency.launcher.agent.AgentAction.FindMaster;
import dev.resiliency.launcher.agent.AgentAction.Kill;
import dev.resiliency.launcher.agent.AgentAction.Leave;
import dev.resiliency.launcher.agent.AgentAction.LetGo;
import dev.resiliency.launcher.agent.AgentAction.MarkHealthy;
import dev.resiliency.launcher.agent.AgentAction.MarkUnhealthy;
import dev.resiliency.launcher.agent.AgentAction.Note;
import dev.resiliency.launcher.agent.AgentAction.Pass;
import dev.resiliency.launcher.agent.AgentAction.Promise;
import dev.resiliency.launcher.agent.AgentAction.Report;
import dev.resiliency.launcher.agent.AgentAction.Signal;
import dev.resiliency.launcher.agent.AgentAction.Sit;
import dev.resiliency.launcher.agent.AgentAction.Start;
import dev.resiliency.launcher.agent.AgentAction.TakeSeat;
import dev.resiliency.launcher.agent.AgentAction.Warn;
import dev.resiliency.launcher.agent.AgentEvent.Asked;
import dev.resiliency.launcher.agent.AgentEvent.Begun;
import dev.resiliency.launcher.agent.AgentEvent.CallAnswered;
import dev.resiliency.launcher.agent.AgentEvent.Checked;
import dev.resiliency.launcher.agent.AgentEvent.CycleCalled;
import dev.resiliency.launcher.agent.AgentEvent.Drained;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Failed;
import dev.resiliency.launcher.agent.AgentEvent.Failed.Cause;
import dev.resiliency.launcher.agent.AgentEvent.Founded;
import dev.resiliency.launcher.agent.AgentEvent.Free;
import dev.resiliency.launcher.agent.AgentEvent.Granted;
import dev.resiliency.launcher.agent.AgentEvent.JobEnded;
import dev.resiliency.launcher.agent.AgentEvent.NodeGone;
import dev.resiliency.launcher.agent.AgentEvent.Notified;
import dev.resiliency.launcher.agent.AgentEvent.Overdue;
import dev.resiliency.launcher.agent.AgentEvent.Promised;
import dev.resiliency.launcher.agent.AgentEvent.SeatGiven;
import dev.resiliency.launcher.agent.AgentEvent.Seated;
import dev.resiliency.launcher.agent.AgentEvent.Started;
import dev.resiliency.launcher.agent.AgentEvent.StopAsked;
import dev.resiliency.launcher.agent.AgentEvent.Tick;
import dev.resiliency.launcher.agent.AgentEvent.WentOn;
import dev.resiliency.launcher.agent.AgentEvent.Wrapped;
import dev.resiliency.launcher.agent.Target.Node;
import dev.resiliency.launcher.agent.Target.One;
import dev.resiliency.launcher.attribution.RankEnd;
import dev.resiliency.launcher.health.Finding;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.ExitReason.NotStarted;
import dev.resiliency.launcher.process.ExitReason.Shortage;
import dev.resiliency.launcher.rendezvous.CycleCall;
import dev.resiliency.launcher.rendezvous.JobEvent.Kind;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.monitor.RankMonitorClient.WorkloadAction;
import dev.resiliency.monitor.spi.JobPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A node of two ranks, and a spare in some tests, stepped with a clock that only the test moves. */
class AgentTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final List<Finding> FULL = List.of(new Finding(Finding.Severity.FAILURE, "disk", "full"));
    private static final OptionalInt NO_PROMISE = OptionalInt.empty();

    private final List<Report> reports = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private long now = 42;
    private NodeHealth health = new NodeHealth(HealthSettings.builder().build(), false, () -> now);
    private Agent agent = agent(RestartPolicy.SOFT, 0);

    private Agent agent(RestartPolicy policy, int spares) {
        return agent(policy, spares, false);
    }

    private Agent agent(RestartPolicy policy, int spares, boolean reclaimsMemory) {
        return new Agent(
                SettingsFixture.settings(2, spares, policy, Duration::ofSeconds, reclaimsMemory), health, () -> now);
    }

    private static Seat seat(int cycle, int group) {
        return new Seat(cycle, group, 2, 2);
    }

    /**
     * Steps the agent, and answers each start with a process whose id is 100 plus its number. What it reports for people outside
     * is in {@link #reports}, of what it warns its ranks in {@link #warnings}.
     */
    private List<AgentAction> on(AgentEvent event) {
        List<AgentAction> actions = new ArrayList<>(agent.on(event).actions());
        actions.stream()
                .filter(Report.class::isInstance)
                .map(Report.class::cast)
                .forEach(reports::add);
        actions.stream()
                .filter(Warn.class::isInstance)
                .map(warn -> ((Warn) warn).event().getClass().getSimpleName())
                .forEach(warnings::add);
        actions.removeIf(action -> action instanceof Report || action instanceof Warn || action instanceof Sit);
        for (AgentAction action : actions) {
            if (action instanceof Start start) {
                assertThat(agent.on(new Started(start.process(), 100 + start.process()))
                                .actions())
                        .isEmpty();
            }
        }
        return actions;
    }

    private List<AgentAction> end(int process, int code) {
        return on(new Ended(process, ExitReason.of(code), now));
    }

    private List<AgentAction> end(int process, int code, JobPart part) {
        return on(new Ended(process, new RankEnd(ExitReason.of(code), part), now));
    }

    private void granted(int process, int number) {
        assertThat(on(new Granted(new One(process), number))).containsExactly(new Promise(process, number));
        on(new Promised(process, number, NO_PROMISE));
    }

    private List<AgentAction> tickWhenDue() {
        now += agent.untilTick().orElseThrow().toNanos();
        return on(new Tick());
    }

    private void runFor(Duration time) {
        on(new Seated(seat(0, 1)));
        now += time.toNanos();
    }

    private static <T extends AgentAction> T only(List<AgentAction> actions, Class<T> type) {
        List<T> found =
                actions.stream().filter(type::isInstance).map(type::cast).toList();
        assertThat(found).as("%s in %s", type.getSimpleName(), actions).hasSize(1);
        return found.get(0);
    }

    @Test
    void seatedNodeStartsItsRanks() {
        assertThat(on(new Seated(seat(0, 1))))
                .containsExactly(new Start(0, 0, NO_PROMISE, ""), new Start(1, 0, NO_PROMISE, ""));
    }

    @Test
    void nodeThatComesLateTakesPartInTheCycleOfTheJob() {
        assertThat(on(new Seated(seat(3, 1)))).hasSize(2).contains(new Start(0, 3, NO_PROMISE, ""));
        assertThat(on(new CycleCalled(3, "it is known already"))).isEmpty();
    }

    @Test
    void spareProcessStartsOnceTheJobIsFounded() {
        agent = agent(RestartPolicy.SOFT, 1);

        assertThat(on(new Seated(seat(0, 0)))).hasSize(3).last().isInstanceOf(AwaitFounders.class);
        assertThat(on(new Founded())).containsExactly(new Start(2, 0, NO_PROMISE, ""));
        assertThat(on(new Founded())).isEmpty();
    }

    @Test
    void spareProcessThatHasCompletedStartsAgainWithTheJob() {
        agent = agent(RestartPolicy.HARD, 1);
        on(new Seated(seat(0, 0)));
        on(new Founded());
        now += LONG.toNanos();
        end(2, 0);

        on(new CycleCalled(1, "rank 7 failed"));
        end(0, 143);
        assertThat(only(end(1, 143), TakeSeat.class).cycle()).isOne();
        on(new Seated(seat(1, 0)));

        assertThat(on(new Founded())).containsExactly(new Start(2, 1, NO_PROMISE, ""));
    }

    @Test
    void spareNodeStartsNothingBeforeTheJobIsFounded() {
        assertThat(on(new Seated(seat(0, 2))))
                .singleElement()
                .isEqualTo(new AwaitFounders("this is spare node 2: its processes join when the job is founded"));
        assertThat(on(new Founded())).hasSize(2);
    }

    @Test
    void failedRankAloneStartsAgainWithItsPromiseAfterABackoff() {
        runFor(SHORT);

        assertThat(end(1, 139))
                .containsExactly(
                        new Note(
                                "rank 3 (process 101) was ended by SIGSEGV after 1s: it is to start again, and to join the others,"
                                        + " which go on"),
                        new AskRestart(new One(1)));
        assertThat(on(new Granted(new One(1), 4))).containsExactly(new Promise(1, 4));
        assertThat(on(new Promised(1, 4, OptionalInt.of(9))))
                .containsExactly(new Note("rank 3: restart 4 of 10, in 1s"));
        assertThat(tickWhenDue()).containsExactly(new Start(1, 1, OptionalInt.of(9), "restart 4 of 10"));
    }

    @Test
    void failureItsRestartAndTheEndOfTheNodeAreReportedAndWhatWasAskedForIsNot() {
        runFor(LONG);
        end(1, 1);
        granted(1, 4);
        tickWhenDue();
        on(new Drained("resiliency drain"));
        end(0, 143);
        end(1, 143);

        assertThat(reports)
                .containsExactly(
                        new Report(Kind.RANK_ENDED, "rank 3 (process 101) exited with code 1 after 5m"),
                        new Report(Kind.RESTART, "rank 3: restart 4 of 10, at once"),
                        new Report(Kind.NODE_LEFT, "this node leaves the job (resiliency drain)"));
    }

    @Test
    void completedNodeIsReportedOnce() {
        runFor(LONG);
        end(0, 0);
        end(1, 0);

        assertThat(reports).containsExactly(new Report(Kind.NODE_COMPLETED, "all ranks of this node have completed"));
    }

    @Test
    void restartThatIsNotGrantedEndsTheJob() {
        runFor(LONG);
        end(1, 1);

        List<AgentAction> actions = on(new Granted(new One(1), 0));

        assertThat(only(actions, EndJob.class).code()).isEqualTo(93);
        assertThat(only(actions, EndJob.class).why()).contains("the restarts of the job are spent (10)");
        assertThat(only(actions, Signal.class).process()).isZero();
    }

    @Test
    void rankThatFailsAtStartUpAgainAndAgainEndsTheJobAndIsNamed() {
        runFor(SHORT);
        for (int failure = 1; failure < 3; failure++) {
            end(1, 1);
            granted(1, failure);
            tickWhenDue();
            now += SHORT.toNanos();
        }

        assertThat(only(end(1, 1), EndJob.class).why())
                .isEqualTo(
                        "rank 3 (process 101) exited with code 1 after 1s: it has failed 3 times in a row within its first"
                                + " 10s");
    }

    @ParameterizedTest
    @CsvSource({"93", "130"})
    void abortOfARankEndsTheJobForAll(int code) {
        runFor(LONG);

        List<AgentAction> actions = end(0, code);

        assertThat(only(actions, EndJob.class).why())
                .contains("rank 2 (process 100) exited with code " + code, "it asks not to be started again");
        assertThat(only(actions, Signal.class))
                .extracting(Signal::process, Signal::name)
                .containsExactly(1, "TERM");
        assertThat(end(1, 143)).last().isEqualTo(new Leave(false, false));
        assertThat(only(on(new Free()), Exit.class).code()).isEqualTo(93);
    }

    @Test
    void rankThatAsksForAnotherHostEndsItsNodeOnly() {
        runFor(LONG);

        List<AgentAction> actions = end(0, 94);
        end(1, 143);

        assertThat(actions).noneMatch(EndJob.class::isInstance);
        assertThat(only(on(new Free()), Exit.class).code()).isEqualTo(94);
    }

    @Test
    void commandThatCannotBeStartedEndsTheNodeWithItsCode() {
        on(new Seated(seat(0, 0)));

        on(new Ended(0, new NotStarted(127, "there is no file x"), now));
        on(new Ended(1, new NotStarted(127, "there is no file x"), now));

        assertThat(only(on(new Free()), Exit.class))
                .isEqualTo(new Exit(127, "rank 0: the command could not be started: there is no file x"));
    }

    @Test
    void rankThatLacksDescriptorsIsTriedAgainUntilItStartsAndThatIsSaidOnce() {
        on(new Seated(seat(0, 0)));
        Shortage shortage = new Shortage("error=24, Too many open files");

        List<AgentAction> said = on(new Ended(0, shortage, now));
        assertThat(said)
                .singleElement()
                .extracting(AgentAction::reason)
                .asString()
                .contains("rank 0", "tried again each 1s");
        for (int attempt = 0; attempt < 100; attempt++) {
            now += Shortage.PAUSE.toNanos();
            assertThat(only(agent.on(new Tick()).actions(), Start.class).process())
                    .isZero();
            assertThat(agent.on(new Ended(0, shortage, now)).actions()).isEmpty();
        }
        now += Shortage.PAUSE.toNanos();
        assertThat(on(new Tick())).hasAtLeastOneElementOfType(Start.class);
        on(new Started(0, 100));
        on(new Started(1, 101));
        assertThat(end(0, 0)).doesNotHaveAnyElementsOfTypes(Complete.class);
        assertThat(end(1, 0)).last().isEqualTo(new Complete(0));
    }

    @Test
    void nodeWhoseRanksHaveAllCompletedStaysUntilTheJobHas() {
        runFor(LONG);

        assertThat(end(0, 0)).doesNotHaveAnyElementsOfTypes(Complete.class);
        assertThat(end(1, 0)).last().isEqualTo(new Complete(0));
        assertThat(on(new JobEnded(0, "all ranks have completed"))).containsExactly(new Leave(true, false));
        assertThat(on(new Free())).containsExactly(new Exit(0, "all ranks of this node have completed"));
    }

    @Test
    void nodeWhoseRanksHaveAllCompletedTakesPartInTheNextCycle() {
        agent = agent(RestartPolicy.HARD, 0);
        runFor(LONG);
        end(0, 0);
        end(1, 0);

        assertThat(on(new CycleCalled(1, "rank 0 failed")))
                .containsExactly(new Note("cycle 1: rank 0 failed"), new TakeSeat(1));
        assertThat(on(new Seated(seat(1, 1))))
                .hasOnlyElementsOfType(Start.class)
                .hasSize(2);
    }

    @Test
    void nodeWhoseRanksHaveAllCompletedCallsTheCycleForALostOne() {
        agent = agent(RestartPolicy.HARD, 0);
        runFor(LONG);
        end(0, 0);
        end(1, 0);

        assertThat(on(new NodeGone("node node7 is lost")))
                .containsExactly(new CallCycle(1, "node node7 is lost: all ranks of the job start again"));
    }

    @Test
    void rankThatFailsWhenTheJobHasCompletedStartsAgainAlone() {
        agent = agent(RestartPolicy.HARD, 0);
        runFor(LONG);
        assertThat(end(0, 1)).last().isInstanceOf(CallCycle.class);

        assertThat(on(new CallAnswered(CycleCall.COMPLETE))).containsExactly(new AskRestart(new One(0)));
        granted(0, 1);
        assertThat(only(tickWhenDue(), Start.class).process()).isZero();
    }

    @Test
    void nodeThatHostsTheStoreWaitsForTheOthersWithoutALimitUnlessASignalHasEndedIt() {
        runFor(LONG);
        end(0, 0);
        end(1, 0);
        assertThat(agent.untilTick()).isEmpty();

        agent = agent(RestartPolicy.SOFT, 0);
        runFor(LONG);
        on(new StopAsked("TERM"));
        end(0, 143);
        end(1, 143);
        List<AgentAction> actions = tickWhenDue();

        assertThat(actions.get(0).reason())
                .startsWith("the others still need the store that this agent hosts after 1m");
        assertThat(only(actions, Exit.class).code()).isEqualTo(143);
    }

    @Test
    void jobWithoutAWrapperStartsAgainAsAWhole() {
        runFor(LONG);
        only(end(0, 1), AskWrapped.class);

        assertThat(only(on(new Wrapped(new One(0), false)), CallCycle.class).cycle())
                .isOne();
    }

    @Test
    void rankThatFailsAtStartUpIsNotAskedForItsWrapper() {
        runFor(SHORT);

        only(end(0, 1), AskRestart.class);
    }

    @Test
    void rankThatExitsWithZeroWhileItsJobGoesOnHasFailed() {
        runFor(LONG);

        List<AgentAction> actions = end(0, 0, JobPart.MEMBER);

        assertThat(only(actions, Note.class).reason())
                .contains("exited with code 0, although its job has not completed");
    }

    @Test
    void rankWhoseWrapperHasGivenUpEndsTheJobWhateverItsExitCode() {
        runFor(LONG);

        assertThat(only(end(0, 1, JobPart.GIVEN_UP), EndJob.class).why())
                .contains("exited with code 1, after its wrapper has given up")
                .endsWith("it asks not to be started again");
    }

    @Test
    void signalEndsARankAlsoAfterItsWrapperHasGivenUp() {
        runFor(LONG);

        only(end(0, 137, JobPart.GIVEN_UP), AskWrapped.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "LEFT"})
    void nodeWhoseRanksHaveAllLeftHasNotCompleted(JobPart part) {
        runFor(LONG);
        assertThat(on(new Notified("USR1"))).hasSize(2).hasOnlyElementsOfType(Pass.class);
        end(0, 0, JobPart.LEFT);

        boolean hasCompleted = part == JobPart.COMPLETED;
        assertThat(end(1, 0, part)).last().isEqualTo(hasCompleted ? new Complete(0) : new Leave(false, true));
        if (!hasCompleted) {
            assertThat(only(on(new Free()), Exit.class).code()).isEqualTo(138);
        }
    }

    @Test
    void signalEndsANodeWhoseRanksHaveCompletedWithTheirExitCode() {
        runFor(LONG);
        end(0, 0);
        end(1, 0);

        assertThat(on(new StopAsked("TERM"))).containsExactly(new Leave(true, false));
        assertThat(on(new Free()))
                .containsExactly(new Exit(0, "all ranks of this node have completed; received SIGTERM"));
    }

    @Test
    void signalIsPassedOnToThoseThatRun() {
        runFor(LONG);
        end(1, 1);

        assertThat(on(new Notified("USR1")))
                .singleElement()
                .isInstanceOfSatisfying(
                        Pass.class, pass -> assertThat(pass.process()).isZero());
    }

    @Test
    void endOfTheJobElsewhereEndsThisNode() {
        runFor(LONG);

        assertThat(on(new JobEnded(93, "rank 0 asks for it"))).hasOnlyElementsOfType(Signal.class);
        end(0, 143);
        end(1, 143);

        assertThat(on(new Free())).containsExactly(new Exit(93, "the job has ended: rank 0 asks for it"));
    }

    @Test
    void drainedNodeEndsItsRanksAndSucceedsThoughItHasNotCompleted() {
        runFor(LONG);
        List<AgentAction> actions = on(new Drained("resiliency drain"));
        assertThat(actions).hasSize(3).first().isEqualTo(new AnnounceLeave());
        assertThat(actions.subList(1, 3)).hasOnlyElementsOfType(Signal.class);
        end(0, 143);

        assertThat(end(1, 143)).last().isEqualTo(new Leave(false, true));
        assertThat(on(new Free())).containsExactly(new Exit(0, "this node leaves the job (resiliency drain)"));
    }

    @Test
    void ranksThatFollowGoOnIfTheStoreMovesAndOthersEnd() {
        runFor(LONG);
        assertThat(on(new Failed(Cause.STORE_MOVES, "lost"))).containsExactly(new LetGo(Set.of(0, 1), "lost"));

        assertThat(on(new WentOn(Set.of(0), "lost")))
                .singleElement()
                .isInstanceOfSatisfying(
                        Signal.class, signal -> assertThat(signal.process()).isOne());
        end(1, 143);

        assertThat(on(new Free())).containsExactly(new Exit(1, "lost"));
    }

    @Test
    void rankThatHangsDoesNotFollow() {
        runFor(LONG);
        on(new Overdue(1, "late"));

        assertThat(on(new Failed(Cause.STORE_MOVES, "lost"))).containsExactly(new LetGo(Set.of(0), "lost"));
    }

    @Test
    void allRanksEndIfTheStoreMovesUnderHard() {
        agent = agent(RestartPolicy.HARD, 0);
        runFor(LONG);

        assertThat(on(new Failed(Cause.STORE_MOVES, "lost"))).hasSize(2).hasOnlyElementsOfType(Signal.class);
    }

    @Test
    void refusalEndsThisNode() {
        runFor(LONG);
        on(new Failed(Cause.REFUSED, "another job"));
        end(0, 143);
        end(1, 143);

        assertThat(on(new Free())).containsExactly(new Exit(1, "another job"));
    }

    @Test
    void signalIsPassedOnAndRanksThatDoNotEndAreKilled() {
        runFor(LONG);

        List<AgentAction> actions = on(new StopAsked("INT"));
        assertThat(actions).hasSize(3).first().isEqualTo(new AnnounceLeave());
        assertThat(actions.subList(1, 3))
                .allMatch(action -> ((Signal) action).name().equals("INT"));
        end(0, 0);
        assertThat(only(tickWhenDue(), Kill.class).process()).isOne();
        assertThat(end(1, 137)).last().isEqualTo(new Leave(false, true));
        assertThat(only(on(new Free()), Exit.class).code()).isEqualTo(130);
    }

    @ParameterizedTest
    @CsvSource({"NONE, 143", "LEFT, 143", "COMPLETED, 0"})
    void nodeThatReceivesASignalSucceedsOnlyIfTheJobHasCompleted(JobPart part, int code) {
        runFor(LONG);
        on(new StopAsked("TERM"));
        end(0, 0, part);
        end(1, 0, part);

        assertThat(on(new Free())).containsExactly(new Exit(code, "received SIGTERM"));
    }

    @Test
    void secondSignalKillsAndAThirdEndsTheAgent() {
        runFor(LONG);
        on(new StopAsked("INT"));

        assertThat(on(new StopAsked("INT"))).hasSize(2).hasOnlyElementsOfType(Kill.class);
        end(0, 137);
        end(1, 137);
        assertThat(only(on(new StopAsked("INT")), Exit.class).code()).isEqualTo(130);
    }

    @Test
    void signalBeforeTheNodeHasASeatEndsItAtOnce() {
        assertThat(on(new StopAsked("TERM"))).containsExactly(new AnnounceLeave(), new Leave(false, true));
        assertThat(only(on(new Free()), Exit.class).code()).isEqualTo(143);
    }

    @Test
    void unhealthyNodeEndsItsRanksAndKeepsTheStoreForTheOthersUntilTheyCanDoWithoutIt() {
        hasChecks();
        runFor(LONG);

        assertThat(on(new Checked(FULL))).hasSize(4).startsWith(new MarkUnhealthy("disk: full"), new AnnounceLeave());
        end(0, 143);
        assertThat(end(1, 143)).last().isEqualTo(new Leave(false, true));
        assertThat(agent.untilTick()).isEmpty();
        assertThat(on(new Free())).containsExactly(new Exit(94, "this node is unhealthy: disk: full"));
    }

    private void hasChecks() {
        health = new NodeHealth(HealthSettings.builder().build(), true, () -> now);
        agent = agent(RestartPolicy.SOFT, 0);
        assertThat(on(new Begun())).containsExactly(new Check());
        assertThat(on(new Checked(List.of()))).containsExactly(new MarkHealthy(), new Arrive());
        now += LONG.toNanos();
    }

    @Test
    void nodeThatIsUnhealthyBeforeItHasASeatEndsAtOnce() {
        hasChecks();
        assertThat(on(new SeatGiven(seat(0, 1)))).containsExactly(new FindMaster(seat(0, 1)));

        assertThat(on(new Checked(FULL)))
                .containsExactly(new MarkUnhealthy("disk: full"), new AnnounceLeave(), new Leave(false, true));
        assertThat(only(on(new Free()), Exit.class).code()).isEqualTo(94);
    }

    @Test
    void rankThatSurvivesSigkillIsLeft() {
        runFor(LONG);
        end(0, 0);
        on(new StopAsked("INT"));
        on(new StopAsked("INT"));

        List<AgentAction> actions = tickWhenDue();

        assertThat(actions.get(0).reason()).contains("does not end, although it was killed: it is left");
        assertThat(actions).last().isInstanceOf(Leave.class);
    }

    @Test
    void softNoReplaceStartsAllRanksOfTheNodeAgain() {
        agent = agent(RestartPolicy.SOFT_NO_REPLACE, 0);
        runFor(LONG);

        List<AgentAction> actions = end(0, 1);
        assertThat(only(actions, AskWrapped.class).target()).isEqualTo(new Node());
        assertThat(only(actions, Signal.class).process()).isOne();
        on(new Granted(new Node(), 1));
        now += SHORT.toNanos();
        assertThat(on(new Tick())).isEmpty();

        assertThat(end(1, 143))
                .containsExactly(
                        new Note("rank 3 (process 101) was ended by SIGTERM after 5m1s"),
                        new Start(0, 1, NO_PROMISE, ""),
                        new Start(1, 1, NO_PROMISE, ""));
    }

    @Test
    void rankThatFailsAgainAfterItsNodeHasStartedAgainStartsItOnceMore() {
        agent = agent(RestartPolicy.SOFT_NO_REPLACE, 0);
        runFor(SHORT);
        restartNode(1);
        now += LONG.toNanos();

        assertThat(only(end(1, 1), AskWrapped.class).target()).isEqualTo(new Node());
        end(0, 143);
        on(new Granted(new Node(), 2));

        assertThat(tickWhenDue()).containsExactly(new Start(0, 2, NO_PROMISE, ""), new Start(1, 2, NO_PROMISE, ""));
    }

    /** Rank 0 of the node fails at once, and all its ranks start again. */
    private void restartNode(int number) {
        end(0, 1);
        end(1, 143);
        on(new Granted(new Node(), number));
        assertThat(tickWhenDue()).hasOnlyElementsOfType(Start.class);
    }

    @Test
    void nodeThatFailsAtStartUpAgainWaitsLonger() {
        agent = agent(RestartPolicy.SOFT_NO_REPLACE, 0);
        on(new Seated(seat(0, 1)));
        restartNode(1);

        end(0, 1);
        end(1, 143);

        assertThat(on(new Granted(new Node(), 2)))
                .containsExactly(new Note("all ranks of this node: restart 2 of 10, in 2s"));
        assertThat(agent.untilTick()).contains(Duration.ofSeconds(2));
    }

    @Test
    void rankThatWaitsOutItsBackoffDoesNotStartWhileItsNodeEnds() {
        runFor(SHORT);
        end(1, 1);
        granted(1, 1);
        on(new Drained("resiliency drain"));

        now += SHORT.toNanos();
        assertThat(on(new Tick())).isEmpty();
        assertThat(end(0, 143)).last().isEqualTo(new Leave(false, true));
    }

    @Test
    void hardCallsTheNextCycleAndTakesASeatInIt() {
        agent = agent(RestartPolicy.HARD, 0);
        runFor(LONG);

        assertThat(only(end(0, 1), CallCycle.class).cycle()).isEqualTo(1);
        assertThat(only(on(new CycleCalled(1, "rank 2 failed")), Signal.class).process())
                .isOne();
        assertThat(end(1, 143)).last().isEqualTo(new TakeSeat(1));
        assertThat(on(new Seated(seat(0, 1)))).isEmpty();
        assertThat(on(new Seated(seat(1, 0))))
                .containsExactly(new Start(0, 1, NO_PROMISE, ""), new Start(1, 1, NO_PROMISE, ""));
    }

    @ParameterizedTest
    @EnumSource(names = {"SOFT", "SOFT_NO_REPLACE"})
    void othersGoOnWithoutALostNode(RestartPolicy policy) {
        agent = agent(policy, 0);
        runFor(LONG);

        assertThat(on(new NodeGone("node node7 is lost")))
                .containsExactly(new Note("node node7 is lost: the others continue without it until it rejoins"));
    }

    @Test
    void lossOfANodeCallsTheCycleAfterThisOneUnderHard() {
        agent = agent(RestartPolicy.HARD, 0);
        on(new Seated(seat(4, 1)));

        assertThat(on(new NodeGone("node node7 is lost")))
                .containsExactly(new CallCycle(5, "node node7 is lost: all ranks of the job start again"));
    }

    @Test
    void processesThatEndSlowlyAreNotAskedForAgainAndAgain() {
        agent = agent(RestartPolicy.HARD, 0);
        runFor(LONG);
        on(new CycleCalled(1, "rank 7 failed"));
        now += Duration.ofSeconds(5).toNanos();

        assertThat(agent.untilTick()).contains(Duration.ofSeconds(25));
    }

    @Test
    void whatARankTakesBackIsNoted() {
        runFor(LONG);

        assertThat(on(new Asked(0, WorkloadAction.CONTINUE, "the node is well")))
                .containsExactly(new Note("rank 2 takes back what it has asked for: the node is well"));
    }

    @Test
    void rankThatCompletesIsNotedAndStartsAgainWithTheJob() {
        agent = agent(RestartPolicy.HARD, 0);
        runFor(LONG);
        assertThat(only(end(0, 0), Note.class).reason()).startsWith("rank 2 (process 100) ");
        assertThat(on(new CycleCalled(1, "rank 7 failed"))).first().isEqualTo(new Note("cycle 1: rank 7 failed"));
        end(1, 143);

        on(new StopAsked("TERM"));

        assertThat(only(on(new Free()), Exit.class).code())
                .as("nothing has completed in this cycle")
                .isEqualTo(143);
    }

    @Test
    void rankThatHasRunLongEnoughDoesNotFailAtStartUp() {
        on(new Seated(seat(0, 1)));
        for (int failure = 1; failure <= 5; failure++) {
            now += Duration.ofSeconds(10).toNanos();
            assertThat(end(1, 1)).last().isEqualTo(new AskWrapped(new One(1)));
            granted(1, failure);
            tickWhenDue();
        }
    }
}
