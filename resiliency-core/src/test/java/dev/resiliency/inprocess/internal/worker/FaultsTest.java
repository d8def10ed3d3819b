package dev.resiliency.inprocess.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.resiliency.inprocess.HealthCheckException;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.MonitorProcessException;
import dev.resiliency.inprocess.RankDiscardedException;
import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.internal.settings.CannotRunException;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a throwable means for the rank that it was thrown on. */
class FaultsTest {
    private final Throwable unfit = new HealthCheckException("the GPU is gone", new IllegalStateException());
    private final LeavingOnPurpose leaving = LeavingOnPurpose.asAsked("maintenance", "at once");

    /** One whose own methods fail, as those of a user may. */
    private static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("broken");
        }
    }

    private static final class BrokenAbort extends RestartAbort {
        private static final long serialVersionUID = 1;

        BrokenAbort() {
            super("no use");
        }

        @Override
        public String getMessage() {
            throw new IllegalStateException("broken");
        }
    }

    @Test
    void rankLeavesIfItSaysSoIsUnfitOrCannotRelyOnItsJvm() {
        assertThat(Stream.of(new RestartAbort("no use"), unfit, new OutOfMemoryError(), new InternalError()))
                .allMatch(Faults::endsRank);
        assertThat(Stream.of(new IllegalStateException(), new StackOverflowError(), new AssertionError()))
                .noneMatch(Faults::endsRank);
    }

    @Test
    void messageOfMegabytesIsCut() {
        Throwable thrown = new Error("tensor " + "0.123 ".repeat(1_750_000));

        assertThat(Faults.textOf(thrown))
                .startsWith("java.lang.Error: tensor 0.123 ")
                .endsWith("…")
                .hasSizeLessThan(3000);
    }

    @Test
    void onlyAHealthCheckJudgesTheHealth() {
        assertThat(Faults.isVerdictOnHealth(unfit)).isTrue();
        assertThat(Faults.isVerdictOnHealth(new RestartAbort("no use"))).isFalse();
    }

    @Test
    void othersLearnTypeAndMessageEvenOfABrokenThrowable() {
        assertThat(Faults.textOf(new IllegalStateException("NaN"))).isEqualTo("java.lang.IllegalStateException: NaN");
        assertThat(Faults.textOf(leaving)).isEqualTo("maintenance");
        assertThat(Faults.textOf(new Broken())).isEqualTo(Broken.class.getName());
    }

    @Test
    void ownLogLearnsOnlyTheMessageOfWhatExplainsItself() {
        assertThat(Faults.reasonOf(new ResiliencyException("it is fenced", null)))
                .isEqualTo("it is fenced");
        assertThat(Faults.reasonOf(new StoreException("the store is full"))).isEqualTo("the store is full");
        assertThat(Faults.reasonOf(new RestartAbort("no use"))).isEqualTo("no use");
        assertThat(Faults.reasonOf(new InterruptedException("by the caller"))).isEqualTo("by the caller");
        assertThat(Faults.reasonOf(new InterruptedException())).isEqualTo("java.lang.InterruptedException");
        assertThat(Faults.reasonOf(new IllegalStateException("NaN"))).isEqualTo("java.lang.IllegalStateException: NaN");
        assertThat(Faults.reasonOf(new BrokenAbort())).isEqualTo(BrokenAbort.class.getName());
    }

    @Test
    void rankThatCannotGoOnSaysWhatToDo() {
        ResiliencyException saysAll = new ResiliencyException("it is fenced", null);
        OutOfMemoryError heap = new OutOfMemoryError("Java heap space");
        IllegalStateException defect = new IllegalStateException("impossible");

        assertThat(Faults.whyItCannotGoOn(saysAll)).isSameAs(saysAll);
        assertThat(Faults.whyItCannotGoOn(heap))
                .hasMessage(
                        "this rank is out of memory (Java heap space), so it leaves: give its JVM a larger heap (-Xmx)")
                .hasCause(heap);
        assertThat(Faults.whyItCannotGoOn(new OutOfMemoryError("unable to create native thread")))
                .hasMessageStartingWith("this rank is out of memory (unable to create native thread), so it leaves: ")
                .hasMessageNotContaining("-Xmx");
        assertThat(Faults.whyItCannotGoOn(defect))
                .hasMessage("the restart loop failed; this is a defect of the library")
                .hasCause(defect);
    }

    @Test
    void departureIsReportedByItsKind() {
        assertThat(Faults.kindOfLeaving(leaving)).isEqualTo(Interruption.Kind.LEAVING);
        assertThat(Faults.kindOfLeaving(new MonitorProcessException("it is gone", null)))
                .isEqualTo(Interruption.Kind.MONITOR_PROCESS_LOST);
        assertThat(Faults.kindOfLeaving(new MonitorProcessException(
                        "no file", new CannotRunException("no file", new IOException("Read-only file system")))))
                .isEqualTo(Interruption.Kind.CANNOT_RUN);
        assertThat(Faults.kindOfLeaving(new RestartAbort("no use"))).isEqualTo(Interruption.Kind.TERMINATED_BY_RANK);
    }

    @Test
    void errorThatWouldSuppressItselfMeansThatMemoryHasRunOut() {
        OutOfMemoryError error = new OutOfMemoryError("Java heap space");
        Throwable closed = catchThrowable(() -> error.addSuppressed(error));
        Throwable other = new IllegalArgumentException("no such rank");

        assertThat(Faults.reasonBehind(closed))
                .isInstanceOf(ResiliencyException.class)
                .hasMessageContaining("out of memory (Java heap space)");
        assertThat(Faults.reasonBehind(other)).isSameAs(other);
    }

    @Test
    void othersKnowWhatTheStoreOrTheyThemselvesHaveSaid() {
        assertThat(Stream.of(
                        new StoreLostException("10.0.0.1:29500", "it is gone", null),
                        new SessionExpiredException("it was silent"),
                        new RankFencedException(3),
                        new RankDiscardedException(3, 1, "there is no place")))
                .noneMatch(Faults::isNewsToOthers);
        assertThat(Stream.of(new RestartAbort("no use"), leaving, unfit)).allMatch(Faults::isNewsToOthers);
    }
}
