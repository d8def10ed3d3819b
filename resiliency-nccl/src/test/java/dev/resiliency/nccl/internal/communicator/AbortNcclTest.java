package dev.resiliency.nccl.internal.communicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.resiliency.nccl.AbortNccl;
import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.DataType;
import dev.resiliency.nccl.DeviceBuffer;
import dev.resiliency.nccl.GpuException;
import dev.resiliency.nccl.NativeShim;
import dev.resiliency.nccl.NcclAbortedException;
import dev.resiliency.nccl.NcclCommunicator;
import dev.resiliency.nccl.NcclCommunicator.Reduction;
import dev.resiliency.nccl.internal.natives.Bindings;
import dev.resiliency.nccl.internal.natives.Nccl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class AbortNcclTest {
    private static final Duration SHORT = Duration.ofSeconds(1);

    @RegisterExtension
    static final NativeShim SHIM = NativeShim.ofThisProcess();

    private final Ranks ranks = new Ranks(2);
    private final List<CompletableFuture<NcclCommunicator>> peers = new ArrayList<>();

    @AfterEach
    void noCommunicatorIsLeft() {
        assertThat(Communicators.of(0)).isEmpty();
        Communicators.of(1).forEach(family -> {
            family.startAbort();
            Communicators.remove(family);
        });
        ranks.close();
    }

    @Test
    void singleAbortWaitsForTheOtherCommunicatorOfItsDevice() throws Exception {
        CompletableFuture<String> first = hang("first");
        CompletableFuture<String> second = hang("second");
        ranks.awaitBlocked(2);
        CommunicatorFamily family = Communicators.of(0).get(0);

        assertThatExceptionOfType(GpuException.class)
                .isThrownBy(() -> family.abort(SHORT))
                .withMessageContaining("ncclGroupEnd");

        AbortNccl.create().abort(ranks.call(0).state());
        assertThat(List.of(Ranks.get(first), Ranks.get(second))).containsExactly("aborted", "aborted");
    }

    @Test
    void allCommunicatorsOfADeviceAreAbortedAtTheSameTime() throws Exception {
        List<CompletableFuture<String>> hanging = List.of(hang("first"), hang("second"), hang("third"));
        ranks.awaitBlocked(3);

        AbortNccl.create().abort(ranks.call(0).state());

        for (CompletableFuture<String> each : hanging) {
            assertThat(Ranks.get(each)).isEqualTo("aborted");
        }
    }

    /** Rank 0 waits for rank 1 in a communicator of this name; rank 1 joins it and does nothing else. */
    private CompletableFuture<String> hang(String name) {
        peers.add(ranks.start(
                1, (call, rank) -> NcclCommunicator.bootstrap(call, 1, name, NcclCommunicator.DEFAULT_LIMIT)));
        return ranks.start(0, (call, rank) -> {
            try (CudaStream stream = CudaStream.create(0);
                    NcclCommunicator world =
                            NcclCommunicator.bootstrap(call, 0, name, NcclCommunicator.DEFAULT_LIMIT)) {
                try (DeviceBuffer data = DeviceBuffer.allocate(0, DataType.FLOAT32, 1)) {
                    world.allReduce(data, data, Reduction.SUM, stream);
                    world.synchronize(stream);
                    return "no abort";
                } catch (NcclAbortedException e) {
                    return "aborted";
                }
            }
        });
    }

    @Test
    void stuckAbortIsReportedAtTheLimitWithItsStack() throws Exception {
        NcclCommunicator[] world = new NcclCommunicator[1];
        ranks.run((call, rank) -> {
            NcclCommunicator created = NcclCommunicator.bootstrap(call, rank);
            if (rank == 0) {
                world[0] = created;
            }
            return "created";
        });
        SHIM.set("ncclCommAbort", "block");

        assertThatExceptionOfType(GpuException.class)
                .isThrownBy(() -> AbortNccl.withLimit(SHORT).abort(ranks.call(0).state()))
                .withMessageContaining("1 of 1 NCCL communicators could not be aborted within ")
                .withMessageContaining("has not ended within")
                .withMessageContaining("world of rank 0/2")
                .withMessageContaining("ncclCommAbort");

        assertThatExceptionOfType(NcclAbortedException.class).isThrownBy(world[0]::address);
    }

    @Test
    void failureOfAnAbortIsReported() throws Exception {
        ranks.run(NcclCommunicator::bootstrap);
        SHIM.set("ncclCommAbort", "fail:3");

        assertThatExceptionOfType(GpuException.class)
                .isThrownBy(() -> AbortNccl.create().abort(ranks.call(0).state()))
                .withMessageContaining("ncclCommAbort on NCCL failed with error 3");
    }

    @Test
    void deviceThatCannotBeSelectedDoesNotPreventTheAbort() throws Exception {
        ranks.run(NcclCommunicator::bootstrap);
        long before = SHIM.communicators();
        SHIM.set("cudaSetDevice", "fail:700");

        AbortNccl.create().abort(ranks.call(0).state());

        assertThat(SHIM.communicators()).isLessThan(before);
    }

    @Test
    void abortThatFailsDoesNotPreventTheOthers() throws Exception {
        ranks.run((call, rank) -> NcclCommunicator.bootstrap(call, rank).split(rank, 0));
        SHIM.set("ncclCommAbort.parent", "fail:3");
        long before = SHIM.communicators();

        assertThatExceptionOfType(GpuException.class)
                .isThrownBy(() -> AbortNccl.create().abort(ranks.call(0).state()))
                .withMessageContaining("ncclCommAbort on NCCL failed with error 3");

        assertThat(SHIM.communicators()).isLessThan(before);
    }

    @Test
    void failureIsReportedOnceIfAHookAndTheCommunicatorWaitForTheAbort() throws Exception {
        ranks.run(NcclCommunicator::bootstrap);
        CommunicatorFamily family = Communicators.of(0).get(0);
        SHIM.set("ncclCommAbort", "fail:3");

        List<CompletableFuture<String>> waiters = List.of(
                ranks.start(
                        0, (call, rank) -> failureOf(() -> AbortNccl.create().abort(call.state()))),
                ranks.start(0, (call, rank) -> failureOf(() -> Aborts.abort(family))));

        List<String> failures = new ArrayList<>();
        for (CompletableFuture<String> waiter : waiters) {
            failures.add(Ranks.get(waiter));
        }
        assertThat(failures)
                .containsOnlyOnce("")
                .anySatisfy(failure -> assertThat(failure).contains("ncclCommAbort on NCCL failed with error 3"));
    }

    private interface Attempt {
        void run() throws Exception;
    }

    private static String failureOf(Attempt attempt) throws Exception {
        try {
            attempt.run();
            return "";
        } catch (GpuException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void communicatorOfAnotherLibraryIsAbortedByItsAddress() throws Exception {
        List<Long> addresses = createdElsewhere();
        AbortNccl.Registration registration = AbortNccl.register(ranks.call(0), addresses.get(0), 0, "tensor parallel");
        assertThat(registration.isAborted()).isFalse();

        ranks.call(0).restart();

        assertThat(registration.isAborted()).isTrue();
        registration.close();
    }

    @Test
    void communicatorWhoseRegistrationIsClosedIsLeftAlone() throws Exception {
        List<Long> addresses = createdElsewhere();
        AbortNccl.Registration registration = AbortNccl.register(ranks.call(0), addresses.get(0), 0, "tensor parallel");

        registration.close();
        AbortNccl.create().abort(ranks.call(0).state());
        ranks.call(0).restart();

        assertThat(registration.isAborted()).isFalse();
    }

    @Test
    void communicatorWhoseRegistrationIsClosedWhileTheAbortBeginsIsLeftAlone() throws Exception {
        List<Long> addresses = createdElsewhere();
        AbortNccl.Registration registration = AbortNccl.register(ranks.call(0), addresses.get(0), 0, "tensor parallel");
        CommunicatorFamily family = Communicators.of(0).get(0);
        SHIM.set("cudaSetDevice", "block");
        SHIM.set("ncclCommAbort", "fail:3");
        family.startAbort();

        registration.close();
        SHIM.unset("cudaSetDevice");
        family.abort(Duration.ofSeconds(30));

        assertThat(registration.isAborted()).isFalse();
    }

    private List<Long> createdElsewhere() throws Exception {
        byte[] id = Bindings.nccl().uniqueId();
        return ranks.run((call, rank) -> {
            Nccl nccl = Bindings.nccl();
            nccl.cuda().setDevice(rank);
            return nccl.create(id, rank, 2);
        });
    }

    @Test
    void communicatorThatIsAddedAfterTheAbortIsAborted() throws Exception {
        CommunicatorFamily family = new CommunicatorFamily(Bindings.nccl(), 0, 0, "late");
        family.abort(SHORT);

        assertThatExceptionOfType(NcclAbortedException.class)
                .isThrownBy(() -> family.add(createdElsewhere().get(0), "late"))
                .withMessageContaining("late was aborted while it was being created");
    }

    @Test
    void communicatorsOfAnotherRankAreLeftAlone() throws Exception {
        ranks.run(NcclCommunicator::bootstrap);

        AbortNccl.create().abort(ranks.call(0).state());

        assertThat(Communicators.of(1)).hasSize(1);
    }

    @Test
    void limitMustBePositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AbortNccl.withLimit(Duration.ZERO))
                .withMessageContaining("PT0S");
    }
}
