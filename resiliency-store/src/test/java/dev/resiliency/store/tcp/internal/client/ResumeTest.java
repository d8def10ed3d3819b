package dev.resiliency.store.tcp.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.internal.wire.Frames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The resumption of a session over another connection, step by step. */
@SuppressWarnings("FutureReturnValueIgnored") // of calls that only set the scene
class ResumeTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration GRACE = Duration.ofSeconds(30);
    /** The time until a client has probed a silent server without an answer. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private final EmbeddedNetwork network = new EmbeddedNetwork();
    private final EmbeddedNetwork.Client client = network.newClient(GRACE);
    private final EmbeddedNetwork.Client other = network.newClient(GRACE);
    private final List<StoreException> losses = new ArrayList<>();

    ResumeTest() {
        client.session().onLost(losses::add);
    }

    @AfterEach
    void release() {
        client.session().release();
        other.session().release();
        network.server().closeConnections();
        network.deliver();
        network.close();
    }

    private CompletableFuture<List<@Nullable Object>> ask(Operation<?>... operations) {
        return ask(client, operations);
    }

    private CompletableFuture<List<@Nullable Object>> ask(EmbeddedNetwork.Client by, Operation<?>... operations) {
        CompletableFuture<List<@Nullable Object>> answer = by.session().submit(List.of(operations), LONG);
        network.deliver();
        return answer;
    }

    private EmbeddedNetwork.Link link() {
        return network.links().get(0);
    }

    private static Operation.Add add() {
        return new Operation.Add("counter", 1);
    }

    private static void assertAnswered(CompletableFuture<?> answer, @Nullable Object... results) {
        assertThat(answer).isCompleted();
        assertThat(answer.join()).isEqualTo(Arrays.asList(results));
    }

    private static ThrowableAssertAlternative<?> assertFails(
            CompletableFuture<?> answer, Class<? extends StoreException> kind) {
        return assertThat(answer).failsWithin(Duration.ZERO).withThrowableThat().withCauseInstanceOf(kind);
    }

    // --- frames in flight

    @Test
    void requestThatDidNotArriveIsResent() {
        link().cut();
        CompletableFuture<?> answer = ask(add());

        network.advance(SILENCE);

        assertAnswered(answer, 1L);
        assertThat(losses).isEmpty();
    }

    @Test
    void connectionMayBeLostBeforeItsFirstFrame() {
        EmbeddedNetwork.Client early = network.newClient(GRACE);
        network.lastLink().cut();
        CompletableFuture<?> first = ask(early, add());
        network.advance(SILENCE);
        assertAnswered(first, 1L);

        CompletableFuture<?> second = early.session().submit(List.of(add()), LONG);
        network.lastLink().carryToServer();
        network.lastLink().cut();
        network.advance(SILENCE);
        assertAnswered(second, 2L);
    }

    @Test
    void requestWhoseAnswerWasLostDoesNotRunAgain() {
        client.session().submit(List.of(add()), LONG);
        CompletableFuture<?> answer = client.session().submit(List.of(add()), LONG);
        link().carryToServer();
        link().cut();

        network.advance(SILENCE);

        assertAnswered(answer, 2L);
        assertAnswered(ask(other, add()), 3L);
    }

    @Test
    void sentOperationsRunOnceAndInOrder() {
        link().cut();
        for (int i = 0; i < 40; i++) {
            client.session().send(List.of(new Operation.Append("key", Value.of(Character.toString('A' + i)))));
        }
        CompletableFuture<?> answer = ask(new Operation.Get("key"));

        network.advance(SILENCE);

        assertAnswered(answer, Value.of("ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefgh"));
    }

    @Test
    void answersAndChangesArriveInOrder() {
        List<Object> received = new ArrayList<>();
        ask(new Operation.Watch("key", received::add));
        CompletableFuture<?> waiting = ask(new Operation.Get("released"));
        waiting.thenRun(() -> received.add("released"));
        link().cut();

        ask(other, new Operation.Set("key", Value.of("1")));
        ask(other, new Operation.Set("released", Value.empty()));
        ask(other, new Operation.Set("key", Value.of("2")));
        assertThat(received).isEmpty();
        network.advance(SILENCE);

        assertThat(received)
                .containsExactly(
                        new Change.Written("key", Value.of("1")), "released", new Change.Written("key", Value.of("2")));
    }

    @Test
    void barrierThatCompletedMeanwhileIsPassed() {
        Barrier barrier = Barrier.of("barrier", IndexSet.of(0, 1));
        CompletableFuture<?> arrival = ask(new Operation.Arrive(barrier, IndexSet.of(0), true));
        link().cut();

        ask(other, new Operation.Arrive(barrier, IndexSet.of(1), true));
        assertThat(arrival).isNotDone();
        network.advance(SILENCE);

        assertAnswered(arrival, new Object[] {null});
    }

    @Test
    void waitContinuesOverTheNextConnection() {
        CompletableFuture<?> answer = ask(new Operation.Get("key"));
        link().cut();
        network.advance(SILENCE);
        assertThat(network.links()).hasSize(3);
        assertThat(answer).isNotDone();

        ask(other, new Operation.Set("key", Value.of("v")));

        assertAnswered(answer, Value.of("v"));
    }

    @Test
    void withdrawalDuringAReconnectionIsCarriedOut() {
        CompletableFuture<?> answer = ask(new Operation.Get("key"), add());
        link().cut();
        answer.cancel(true);
        ask(other, new Operation.Get("key"));
        CompletableFuture<?> another = ask(new Operation.Get("other"));
        network.advance(SILENCE);

        ask(other, new Operation.MultiSet(Map.of("key", Value.empty(), "other", Value.empty())));

        assertThat(another).isDone();
        assertAnswered(ask(other, add()), 1L);
    }

    @Test
    void connectionMayBeLostRepeatedly() {
        List<Change> changes = new ArrayList<>();
        ask(new Operation.Watch("counter", changes::add));
        for (long i = 1; i <= 20; i++) {
            CompletableFuture<?> answer = client.session().submit(List.of(add()), LONG);
            if (i % 2 == 0) {
                network.lastLink().carryToServer();
            }
            network.lastLink().cut();
            network.advance(SILENCE);
            assertAnswered(answer, i);
        }
        assertThat(changes).hasSize(20);
    }

    @Test
    void answersOfAllSizesArriveOnce() {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            client.session().submit(List.of(new Operation.Append("key", Value.of(new byte[i]))), LONG);
            answers.add(client.session().submit(List.of(new Operation.Get("key"), add()), LONG));
        }
        network.lastLink().carryToServer();
        network.lastLink().cut();
        network.advance(SILENCE);

        for (int i = 0; i < 200; i++) {
            Value value = Value.of(new byte[i * (i + 1) / 2]);
            assertAnswered(answers.get(i), value, (long) i + 1);
        }
    }

    @Test
    void clientThatMissedTooMuchLosesItsSession() {
        ask(new Operation.Watch("key", change -> {}));
        CompletableFuture<?> waiting = ask(new Operation.Get("missing"));
        link().cut();
        for (int i = 0; i < 3; i++) {
            ask(other, new Operation.Set("key", Value.of(new byte[8 << 20])));
        }
        network.advance(SILENCE);

        assertFails(waiting, SessionExpiredException.class)
                .withMessageContaining("more was in flight than the store keeps");
    }

    @Test
    void framesHaveTheseBytes() {
        ask(add());
        ask(add());
        String session = "%016x".formatted(client.session().id());
        client.holdDialings();
        link().timeOutAtServer();
        link().client.close();
        network.deliver();
        client.letDialingsGoOn();
        EmbeddedNetwork.Link next = network.lastLink();
        next.carryToServer();
        next.carryToClient();

        ByteBuf resume = next.client.readOutbound();
        assertThat(ByteBufUtil.hexDump(resume))
                .startsWith("00000042" + "07" + "0000000000000001" + session + "20")
                .hasSize(2 * (4 + 0x42))
                .endsWith("0000000000000002" + "00000006fc23ac00");
        resume.release();
    }

    @Test
    void graceTimeMayBeUnlimited() {
        EmbeddedNetwork.Client patient = network.newClient(Duration.ofSeconds(Long.MAX_VALUE));
        network.lastLink().cut();
        CompletableFuture<?> answer = ask(patient, add());

        network.advance(SILENCE);

        assertAnswered(answer, 1L);
    }

    // --- a server that is silent

    @Test
    void nothingIsSentWhileNoRequestWaits() {
        ask(add());
        int carried = link().carried();
        network.advance(LONG);

        assertThat(client.dialings()).isEqualTo(1);
        assertThat(link().carried()).isEqualTo(carried);
    }

    @Test
    void nothingIsSentForARequestThatMayWaitForever() {
        CompletableFuture<?> answer = client.session().submit(List.of(new Operation.Get("key")), Store.FOREVER);
        network.deliver();
        int carried = link().carried();
        network.advance(Duration.ofHours(5));

        assertThat(answer).isNotDone();
        assertThat(link().carried()).isEqualTo(carried);
        ask(new Operation.Set("key", Value.of("at last")));
        assertThat(answer).isCompleted();
    }

    @Test
    void serverThatAnswersIsKeptHoweverLongARequestWaits() {
        CompletableFuture<?> answer = ask(new Operation.Get("key"));
        network.advance(Duration.ofMinutes(5));

        assertThat(answer).isNotDone();
        assertThat(client.dialings()).isEqualTo(1);
    }

    @Test
    void silenceIsNoticedWithinSeconds() {
        ask(add());
        network.advance(LONG);
        link().cut();
        CompletableFuture<?> answer = ask(add());
        network.advance(Duration.ofSeconds(5));
        assertThat(client.dialings()).isEqualTo(1);

        network.advance(Duration.ofSeconds(1));

        assertThat(client.dialings()).isEqualTo(2);
        assertAnswered(answer, 2L);
    }

    @Test
    void silenceIsNoticedWithinALeaseAlsoIfNoRequestWaits() {
        ask(new Operation.Lease(Duration.ofSeconds(12)));
        network.advance(LONG);
        assertThat(client.dialings()).isEqualTo(1);

        link().cut();
        network.advance(Duration.ofSeconds(2 * 12 + 6));

        assertThat(client.dialings()).isEqualTo(2);
    }

    @Test
    void silenceIsNoticedWithinALeaseAlsoIfTheServerHasNotAskedForASignOfLifeYet() {
        ask(new Operation.Lease(Duration.ofSeconds(12)));

        link().cut();
        network.advance(Duration.ofSeconds(2 * 12 + 6));

        assertThat(client.dialings()).isEqualTo(2);
    }

    @Test
    void sessionWhoseLeaseOthersRenewAsksOnceAndIsQuietThen() {
        ask(new Operation.Lease(Duration.ofSeconds(12)));
        renewByOther(Duration.ofMinutes(1));
        int carried = link().carried();

        renewByOther(Duration.ofMinutes(5));

        assertThat(link().carried()).isEqualTo(carried);
        network.advance(LONG);
        link().cut();
        network.advance(Duration.ofSeconds(2 * 12 + 6));
        assertThat(client.dialings())
                .as("it is asked again once the others no longer renew")
                .isEqualTo(2);
    }

    private void renewByOther(Duration time) {
        for (Duration left = time; !left.isZero(); left = left.minusSeconds(2)) {
            other.session().send(List.of(client.session().renewal()));
            network.advance(Duration.ofSeconds(2));
        }
    }

    @Test
    void heartbeatsAloneFindASilentServerToo() {
        link().cut();
        for (int i = 0; i < 60; i++) {
            client.session().send(List.of(new Operation.Renew(7, Value.empty())));
            network.advance(Duration.ofSeconds(1));
        }

        assertThat(client.dialings()).isEqualTo(2);
        assertThat(losses).isEmpty();
    }

    @Test
    void requestKeepsItsLimit() {
        client.holdDialings();
        CompletableFuture<?> answer =
                client.session().submit(List.of(new Operation.Get("key")), Duration.ofSeconds(20));
        network.deliver();
        link().cut();
        network.advance(Duration.ofSeconds(24));
        assertThat(answer).isNotDone();

        network.advance(Duration.ofSeconds(1));

        assertFails(answer, StoreTimeoutException.class).withMessageContaining("did not answer within 25.0 s");
    }

    @Test
    void serverUnreachableForTheGraceTimeIsLost() {
        client.holdDialings();
        link().cut();
        CompletableFuture<?> answer = ask(add());
        network.advance(SILENCE.minusSeconds(1));
        assertThat(answer).isNotDone();
        network.advance(GRACE);

        assertFails(answer, StoreLostException.class)
                .withMessageContaining("store at host:77 was lost: the server was silent for 6.0 s; store at host:77"
                        + " could not be reached: tried 2 times in 30.0 s, last error: nobody there");
        assertThat(losses).singleElement().isInstanceOf(StoreLostException.class);
        assertFails(ask(add()), StoreLostException.class);
    }

    @Test
    void restartedServerIsLost() {
        ask(add());
        network.restartServer();
        link().cut();
        CompletableFuture<?> answer = ask(add());
        network.advance(SILENCE);

        assertFails(answer, StoreLostException.class)
                .withMessageContaining("its server was restarted and has lost its contents");
    }

    @Test
    void serverThatClosesIsLostAtOnce() {
        CompletableFuture<?> answer = ask(new Operation.Get("key"));
        network.server().closeConnections();
        network.deliver();

        assertFails(answer, StoreLostException.class).withMessageContaining("the server closed the connection");
        assertThat(client.dialings()).isEqualTo(1);
    }

    // --- the end of the session

    private void leaveAWill() {
        ask(new Operation.LastWill(List.of(new Operation.Set("will", Value.empty()))));
    }

    private void assertWillIsCarriedOut(boolean isCarriedOut) {
        assertAnswered(ask(other, new Operation.Check(List.of("will"))), isCarriedOut);
    }

    @Test
    void clientWhoseKernelClosesTheConnectionIsDead() {
        leaveAWill();
        link().client.close();
        network.deliver();

        assertWillIsCarriedOut(true);
        assertThat(losses).singleElement().isInstanceOf(SessionExpiredException.class);
    }

    @Test
    void oldConnectionIsClosedOnlyWhenTheNextHasTheSession() {
        leaveAWill();
        client.holdDialings();
        link().cut();
        ask(add());
        network.advance(SILENCE);
        assertThat(client.dialings()).isEqualTo(2);
        assertThat(link().client.isOpen()).isTrue();
        assertThat(link().server.isOpen()).isTrue();

        client.letDialingsGoOn();
        network.deliver();

        assertThat(link().client.isOpen()).isFalse();
        assertThat(link().server.isOpen()).isFalse();
        assertWillIsCarriedOut(false);
    }

    @Test
    void silentConnectionDoesNotEndTheSession() {
        leaveAWill();
        link().timeOutAtServer();
        network.advance(GRACE.minusSeconds(1));
        assertWillIsCarriedOut(false);

        link().client.close();
        network.advance(GRACE);

        assertWillIsCarriedOut(false);
        assertAnswered(ask(add()), 1L);
    }

    @Test
    void clientThatDoesNotReturnWithinTheGraceTimeIsDead() {
        leaveAWill();
        link().timeOutAtServer();
        network.advance(GRACE);

        assertWillIsCarriedOut(true);
        assertFails(askThroughNextConnection(), SessionExpiredException.class);
    }

    private CompletableFuture<?> askThroughNextConnection() {
        link().client.close();
        return ask(add());
    }

    @Test
    void renewedLeaseKeepsASessionWithoutAConnection() {
        leaveAWill();
        ask(new Operation.Lease(GRACE));
        link().timeOutAtServer();
        for (int i = 0; i < 60; i++) {
            ask(other, client.session().renewal());
            network.advance(Duration.ofSeconds(1));
        }
        assertWillIsCarriedOut(false);

        assertAnswered(askThroughNextConnection(), 1L);
    }

    @Test
    void leaseThatExpiresMeanwhileEndsTheSession() {
        leaveAWill();
        ask(new Operation.Lease(GRACE));
        client.holdDialings();
        link().cut();
        CompletableFuture<?> answer = ask(add());
        network.advance(GRACE);
        client.letDialingsGoOn();
        network.deliver();

        assertWillIsCarriedOut(true);
        assertFails(answer, SessionExpiredException.class).withMessageContaining("must leave");
        assertThat(losses).singleElement().isInstanceOf(SessionExpiredException.class);
        assertAnswered(ask(other, add()), 1L);
    }

    @Test
    void idleClientKeepsItsLeaseAsItAnswersProbes() {
        EmbeddedNetwork.Client brief = network.newClient(Duration.ZERO);
        ask(brief, new Operation.LastWill(List.of(new Operation.Set("will", Value.empty()))));
        ask(brief, new Operation.Lease(GRACE), new Operation.Get("key"));
        leaveAWill();
        ask(new Operation.Lease(GRACE));
        network.advance(LONG);

        assertWillIsCarriedOut(false);
        assertAnswered(ask(add()), 1L);
        assertAnswered(ask(brief, add()), 2L);
        brief.session().release();
    }

    @Test
    void clientThatNeitherRequestsNorAnswersAnythingLosesItsLease() {
        leaveAWill();
        ask(new Operation.Lease(GRACE));
        network.advance(LONG);
        link().cut();
        network.advance(GRACE.dividedBy(2));
        assertWillIsCarriedOut(false);
        network.advance(GRACE.dividedBy(2));

        assertWillIsCarriedOut(true);
    }

    @Test
    void resumingRenewsTheLease() {
        leaveAWill();
        ask(new Operation.Lease(GRACE));
        client.holdDialings();
        link().cut();
        CompletableFuture<?> waiting = ask(new Operation.Get("key"));
        network.advance(GRACE.minusSeconds(1));
        client.letDialingsGoOn();
        network.lastLink().carryToServer();
        network.lastLink().carryToClient();
        network.lastLink().carryToServer();
        network.lastLink().cut();
        network.advance(GRACE.minusSeconds(1));

        assertWillIsCarriedOut(false);
        assertThat(waiting).isNotDone();
    }

    @Test
    void clientKeepsTryingForTheTimeOfItsLease() {
        EmbeddedNetwork.Client hasty = network.newClient(Duration.ofSeconds(1));
        EmbeddedNetwork.Link link = network.lastLink();
        ask(hasty, new Operation.Lease(LONG));
        hasty.holdDialings();
        link.cut();
        CompletableFuture<?> answer = ask(hasty, add());
        network.advance(LONG.minusSeconds(2));
        hasty.letDialingsGoOn();
        network.deliver();

        assertAnswered(answer, 1L);
        hasty.session().release();
    }

    @Test
    void leaseMayExpireWhileTheClientReconnects() {
        leaveAWill();
        ask(new Operation.Lease(Duration.ofSeconds(2)));
        link().timeOutAtServer();
        client.holdDialings();
        link().client.close();
        CompletableFuture<?> answer = ask(add());
        client.letDialingsGoOn();
        holdResume(network.lastLink());
        assertWillIsCarriedOut(false);
        network.advance(Duration.ofMillis(2500));
        network.lastLink().hold(false);
        network.deliver();

        assertWillIsCarriedOut(true);
        assertFails(answer, SessionExpiredException.class);
    }

    @Test
    void withoutAGraceTimeALostConnectionIsALostSession() {
        EmbeddedNetwork.Client brief = network.newClient(Duration.ZERO);
        ask(brief, new Operation.LastWill(List.of(new Operation.Set("will", Value.empty()))));
        CompletableFuture<?> answer = ask(brief, new Operation.Get("key"));
        network.lastLink().timeOutAtServer();
        network.deliver();
        assertWillIsCarriedOut(true);
        network.lastLink().client.close();
        network.deliver();

        assertFails(answer, StoreLostException.class);
        assertThat(brief.dialings()).isEqualTo(1);
    }

    // --- several connections

    @Test
    void lateResumeIsIgnored() {
        leaveAWill();
        link().cut();
        CompletableFuture<?> answer = ask(add());
        client.holdDialings();
        network.advance(SILENCE);
        client.letDialingsGoOn();
        EmbeddedNetwork.Link second = network.lastLink();
        holdResume(second);
        network.advance(Duration.ofSeconds(5));
        EmbeddedNetwork.Link third = network.lastLink();
        assertThat(third).isNotSameAs(second);
        assertAnswered(answer, 1L);

        second.hold(false);
        network.deliver();

        assertThat(second.server.isOpen()).isFalse();
        assertThat(third.server.isOpen()).isTrue();
        assertWillIsCarriedOut(false);
        assertAnswered(ask(add()), 2L);
    }

    /** Lets the handshake through, and holds back everything after it. */
    private void holdResume(EmbeddedNetwork.Link link) {
        link.carryToServer();
        link.carryToClient();
        link.hold(true);
        network.deliver();
    }

    @Test
    void clientWithoutTheTokenDoesNotGetTheSession() {
        leaveAWill();
        EmbeddedNetwork.Client thief = network.newClient(GRACE);
        EmbeddedNetwork.Link link = network.lastLink();
        link.client.writeOutbound(Frames.frame(
                link.client.alloc(),
                Frames.RESUME,
                1,
                body -> body.number(client.session().id())
                        .value(Value.of(new byte[32]))
                        .number(0)
                        .number(1)));
        network.deliver();

        assertThat(link.server.isOpen()).isFalse();
        assertThat(link().server.isOpen()).isTrue();
        assertAnswered(ask(add()), 1L);
        thief.session().release();
    }

    // --- closing

    @Test
    void goodbyeIsSentOnceThereIsAConnection() {
        leaveAWill();
        client.holdDialings();
        link().cut();
        ask(add());
        network.advance(SILENCE);

        CompletableFuture<Void> over = client.session().close();
        network.deliver();
        assertThat(over).isNotDone();
        client.letDialingsGoOn();
        network.deliver();

        assertThat(over).isCompleted();
        assertWillIsCarriedOut(false);
        assertThat(losses).isEmpty();
        network.advance(LONG);
        assertWillIsCarriedOut(false);
    }

    @Test
    void closingDoesNotWaitForAnUnreachableServer() {
        client.holdDialings();
        link().cut();
        CompletableFuture<?> answer = ask(add());
        network.advance(SILENCE.minusSeconds(1));

        CompletableFuture<Void> over = client.session().close();
        network.deliver();

        assertFails(answer, StoreLostException.class).withMessageContaining("was closed");
        network.advance(GRACE);
        assertThat(over).isCompleted();
        assertThat(losses).isEmpty();
    }
}
