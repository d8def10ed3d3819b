package dev.resiliency.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.launcher.SupervisionAction.Exit;
import dev.resiliency.launcher.SupervisionAction.Kill;
import dev.resiliency.launcher.SupervisionAction.Signal;
import dev.resiliency.launcher.SupervisionAction.Start;
import dev.resiliency.launcher.SupervisionAction.StartLater;
import dev.resiliency.launcher.SupervisionEvent.Ended;
import dev.resiliency.launcher.SupervisionEvent.Started;
import dev.resiliency.launcher.SupervisionEvent.StopAsked;
import dev.resiliency.launcher.SupervisionEvent.Tick;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.ExitReason.NotStarted;
import dev.resiliency.launcher.process.ExitReason.Shortage;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SupervisedProcessTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofSeconds(1);

    private long now = 42;
    private long nextPid = 100;
    private SupervisedProcess supervision = supervision(SupervisorSettings.DEFAULT);

    private SupervisedProcess supervision(SupervisorSettings settings) {
        return new SupervisedProcess(settings, () -> now, new Random(1));
    }

    private void run(Duration uptime) {
        supervision.on(new Started(nextPid++));
        now += uptime.toNanos();
    }

    private SupervisionAction end(int code) {
        return supervision.on(new Ended(ExitReason.of(code), now)).orElseThrow();
    }

    private Optional<SupervisionAction> tickWhenDue() {
        now += supervision.untilTick().orElseThrow().toNanos();
        return supervision.on(new Tick());
    }

    private void startAndRun(Duration uptime) {
        assertThat(supervision.begin()).isEqualTo(new Start(""));
        run(uptime);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, completed",
        "93, 93, asks not to be started again",
        "94, 94, on another host",
        "130, 93, RestartAbort",
        "126, 126, cannot be executed",
        "127, 127, cannot be executed"
    })
    void someExitCodesEndTheSupervision(int ofProcess, int ofSupervisor, String reason) {
        startAndRun(LONG);

        SupervisionAction action = end(ofProcess);

        assertThat(action)
                .isInstanceOfSatisfying(
                        Exit.class, exit -> assertThat(exit.code()).isEqualTo(ofSupervisor));
        assertThat(action.reason()).contains("process 100", reason);
    }

    @Test
    void exitCodeOfRestartAbortIsUnderstood() {
        startAndRun(LONG);

        assertThat(end(new RestartAbort("no more data").exitCode()))
                .isEqualTo(new Exit(
                        ExitCode.DO_NOT_RESTART,
                        "process 100 exited with code 130 (RestartAbort) after 5m: it asks not to be started again"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 129, 134, 137, 139, 143})
    void anyOtherEndIsFollowedByARestart(int code) {
        startAndRun(LONG);

        assertThat(end(code)).isInstanceOf(StartLater.class);
        assertThat(tickWhenDue()).contains(new Start("restart 1 of 10 within 1h"));
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "0, restart", "93, restart", "130, restart", "1, restart", "94, 94", "127, 127"})
    void cleanExitCodesAreASetting(int ofProcess, String expected) {
        supervision = supervision(SupervisorSettings.DEFAULT.withCleanExitCodes(Set.of(3)));
        startAndRun(LONG);

        SupervisionAction action = end(ofProcess);

        assertThat(action instanceof Exit exit ? Integer.toString(exit.code()) : "restart")
                .isEqualTo(expected);
    }

    @Test
    void exitCodeThatNoProcessHasIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SupervisorSettings.DEFAULT.withCleanExitCodes(Set.of(0, 256)))
                .withMessageContaining("256");
    }

    @Test
    void commandThatCannotBeStartedIsNotTriedAgain() {
        supervision.begin();

        assertThat(supervision.on(new Ended(new NotStarted(127, "there is no file x"), now)))
                .contains(new Exit(127, "the command could not be started: there is no file x"));
    }

    @Test
    void commandThatLacksDescriptorsIsTriedAgainAndThatIsSaidOnce() {
        supervision.begin();
        Ended ended = new Ended(new Shortage("error=24, Too many open files"), now);

        assertThat(supervision.on(ended).orElseThrow().reason())
                .isEqualTo(
                        "the command could not be started for now: error=24, Too many open files; it is tried again each 1s");
        for (int attempt = 0; attempt < 100; attempt++) {
            assertThat(tickWhenDue()).contains(new Start(""));
            assertThat(supervision.on(ended).orElseThrow().reason()).isEmpty();
        }
        assertThat(supervision.on(new StopAsked("TERM")).orElseThrow())
                .isInstanceOfSatisfying(
                        Exit.class, exit -> assertThat(exit.code()).isEqualTo(143));
    }

    @Test
    void lineSaysWhatEndedHowWhenAndWhatFollows() {
        startAndRun(LONG);

        assertThat(end(139).reason())
                .matches("process 100 was ended by SIGSEGV after 5m: restart 1 of 10 within 1h, at once");
    }

    @Test
    void restartsInTheWindowAreLimitedAndOlderOnesDoNotCount() {
        supervision = supervision(SupervisorSettings.DEFAULT.with(new RestartBudget(2, Duration.ofMinutes(12))));
        startAndRun(LONG);
        for (int round = 0; round < 2; round++) {
            assertThat(end(1)).isInstanceOf(StartLater.class);
            tickWhenDue();
            run(LONG);
        }
        assertThat(end(1))
                .isEqualTo(
                        new Exit(
                                ExitCode.DO_NOT_RESTART,
                                "process 102 exited with code 1 after 5m: not started again, as the restarts are spent (2 within 12m)"));

        supervision = supervision(SupervisorSettings.DEFAULT.with(new RestartBudget(2, Duration.ofMinutes(9))));
        startAndRun(LONG);
        for (int round = 0; round < 10; round++) {
            assertThat(end(1)).isInstanceOf(StartLater.class);
            tickWhenDue();
            run(LONG);
        }
    }

    @Test
    void processThatFailsAtStartUpAgainAndAgainIsGivenUp() {
        startAndRun(SHORT);
        for (int failure = 1; failure < 5; failure++) {
            assertThat(end(1)).isInstanceOf(StartLater.class);
            tickWhenDue();
            run(SHORT);
        }

        assertThat(end(1))
                .isEqualTo(new Exit(
                        ExitCode.DO_NOT_RESTART,
                        "process 104 exited with code 1 after 1s: it has failed 5 times in a row within its first 10s, so it is not"
                                + " started again"));
    }

    @Test
    void processThatHasRunForAWhileStartsTheCountAndTheBackoffAnew() {
        startAndRun(SHORT);
        Duration last = Duration.ZERO;
        for (int failure = 1; failure < 4; failure++) {
            Duration delay = ((StartLater) end(1)).delay();
            assertThat(delay).isGreaterThan(last);
            last = delay;
            tickWhenDue();
            run(SHORT);
        }
        end(1);
        tickWhenDue();
        run(LONG);

        assertThat(((StartLater) end(1)).delay()).isZero();
    }

    @Test
    void nothingHappensBeforeTheDelayIsOver() {
        startAndRun(SHORT);
        Duration delay = ((StartLater) end(1)).delay();
        now += delay.toNanos() - 1;

        assertThat(supervision.on(new Tick())).isEmpty();
        assertThat(supervision.untilTick()).contains(Duration.ofNanos(1));
    }

    @Test
    void signalIsPassedOnAndTheProcessHasItsGrace() {
        startAndRun(LONG);

        assertThat(supervision.on(new StopAsked("TERM")))
                .contains(new Signal("TERM", "received SIGTERM: process 100 receives it too, and has 30s to end"));
        assertThat(tickWhenDue()).containsInstanceOf(Kill.class);
        assertThat(end(137))
                .isInstanceOfSatisfying(
                        Exit.class, exit -> assertThat(exit.code()).isEqualTo(143));
    }

    @ParameterizedTest
    @CsvSource({
        "TERM, 143, 143",
        "INT, 130, 130",
        "INT, 143, 130",
        "HUP, 129, 129",
        "TERM, 0, 0",
        "TERM, 94, 94",
        "TERM, 1, 1"
    })
    void afterASignalTheProcessIsNotStartedAgain(String signal, int ofProcess, int ofSupervisor) {
        startAndRun(LONG);
        supervision.on(new StopAsked(signal));
        now += SHORT.toNanos();

        SupervisionAction action = end(ofProcess);

        assertThat(action)
                .isInstanceOfSatisfying(
                        Exit.class, exit -> assertThat(exit.code()).isEqualTo(ofSupervisor));
        assertThat(action.reason()).endsWith("as SIG" + signal + " asked");
    }

    @Test
    void secondSignalKills() {
        startAndRun(LONG);
        supervision.on(new StopAsked("INT"));

        assertThat(supervision.on(new StopAsked("INT"))).containsInstanceOf(Kill.class);
        assertThat(supervision.on(new StopAsked("INT"))).isEmpty();
        assertThat(end(137))
                .isInstanceOfSatisfying(
                        Exit.class, exit -> assertThat(exit.code()).isEqualTo(130));
    }

    @Test
    void processThatSurvivesSigkillIsLeft() {
        startAndRun(LONG);
        supervision.on(new StopAsked("INT"));
        supervision.on(new StopAsked("INT"));

        assertThat(tickWhenDue())
                .contains(new Exit(130, "process 100 does not end, although it was killed: it is left"));
    }

    @Test
    void signalBetweenTwoProcessesEndsTheSupervisionAtOnce() {
        startAndRun(LONG);
        end(1);

        assertThat(supervision.on(new StopAsked("TERM")))
                .contains(new Exit(143, "received SIGTERM, while no process ran"));
    }
}
