package dev.resiliency.nccl.internal.communicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.DataType;
import dev.resiliency.nccl.DeviceBuffer;
import dev.resiliency.nccl.GpuCallException;
import dev.resiliency.nccl.GpuException;
import dev.resiliency.nccl.NativeShim;
import dev.resiliency.nccl.NcclAbortedException;
import dev.resiliency.nccl.NcclCommunicator;
import dev.resiliency.nccl.NcclCommunicator.Reduction;
import dev.resiliency.nccl.internal.natives.Bindings;
import dev.resiliency.nccl.internal.natives.Nccl;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class NcclCommunicatorTest {
    private static final Duration SHORT = Duration.ofSeconds(1);

    @RegisterExtension
    static final NativeShim SHIM = NativeShim.ofThisProcess();

    private final Ranks ranks = new Ranks(2);

    @AfterEach
    void noCommunicatorIsLeft() {
        assertThat(Communicators.of(0)).isEmpty();
        assertThat(Communicators.of(1)).isEmpty();
        ranks.close();
    }

    @Test
    void allReduceAddsUpForAllRanks() throws Exception {
        List<float[]> results = ranks.run((call, rank) -> Work.with(call, rank, (world, stream) -> {
            try (DeviceBuffer data = Work.floats(stream, rank + 1, 10 * rank)) {
                world.allReduce(data, data, Reduction.SUM, stream);
                return Work.read(data, world, stream);
            }
        }));

        assertThat(results).containsExactly(new float[] {3, 10}, new float[] {3, 10});
    }

    @Test
    void allReduceSupportsOtherReductions() throws Exception {
        List<float[]> results = ranks.run((call, rank) -> Work.with(call, rank, (world, stream) -> {
            try (DeviceBuffer data = Work.floats(stream, rank + 1);
                    DeviceBuffer result = DeviceBuffer.allocate(rank, DataType.FLOAT32, 4)) {
                List<Reduction> reductions =
                        List.of(Reduction.MAXIMUM, Reduction.MINIMUM, Reduction.PRODUCT, Reduction.AVERAGE);
                for (int i = 0; i < reductions.size(); i++) {
                    world.allReduce(data, result.slice(i, 1), reductions.get(i), stream);
                }
                return Work.read(result, world, stream);
            }
        }));

        assertThat(results.get(0)).containsExactly(2, 1, 2, 1.5f);
        assertThat(results.get(1)).containsExactly(2, 1, 2, 1.5f);
    }

    @Test
    void otherCollectivesMoveTheirBuffers() throws Exception {
        List<float[]> results = ranks.run((call, rank) -> Work.with(call, rank, (world, stream) -> {
            try (DeviceBuffer two = Work.floats(stream, 1 + rank, 3 + rank);
                    DeviceBuffer result = DeviceBuffer.allocate(rank, DataType.FLOAT32, 7)) {
                world.allGather(two, result.slice(0, 4), stream);
                world.broadcast(two, result.slice(4, 2), 1, stream);
                world.reduceScatter(two, result.slice(6, 1), Reduction.SUM, stream);
                return Work.read(result, world, stream);
            }
        }));

        assertThat(results.get(0)).containsExactly(1, 3, 2, 4, 2, 4, 3);
        assertThat(results.get(1)).containsExactly(1, 3, 2, 4, 2, 4, 7);
    }

    @Test
    void messageArrivesAtItsReceiver() throws Exception {
        List<float[]> results = ranks.run((call, rank) -> Work.with(call, rank, (world, stream) -> {
            try (DeviceBuffer data = Work.floats(stream, rank)) {
                if (rank == 0) {
                    world.receive(data, 1, stream);
                } else {
                    world.send(data, 0, stream);
                }
                return Work.read(data, world, stream);
            }
        }));

        assertThat(results.get(0)).containsExactly(1);
    }

    @Test
    void splitCreatesCommunicatorsByColourInTheOrderOfKeys() throws Exception {
        List<String> results = ranks.run((call, rank) -> Work.with(call, rank, (world, stream) -> {
            try (NcclCommunicator turned = world.split(0, -rank);
                    NcclCommunicator alone = world.split(1 + rank, 0);
                    DeviceBuffer data = Work.floats(stream, 5 + rank)) {
                turned.broadcast(data, data, 0, stream);
                String result = turned.rank() + "/" + turned.worldSize() + " " + alone.rank() + "/" + alone.worldSize()
                        + " got " + Work.read(data, turned, stream)[0];
                turned.finish();
                alone.finish();
                return result;
            }
        }));

        assertThat(results).containsExactly("1/2 0/1 got 6.0", "0/2 0/1 got 6.0");
    }

    @Test
    void splitThatFailsInTheBackgroundIsReportedAndItsChildIsFreed() throws Exception {
        long before = SHIM.communicators();
        SHIM.set("ncclCommInitChild", "fail:2");

        ranks.run((call, rank) -> {
            try (NcclCommunicator world = NcclCommunicator.bootstrap(call, rank)) {
                assertThatExceptionOfType(GpuCallException.class)
                        .isThrownBy(() -> world.split(0, 0))
                        .withMessageContaining("creation of split 0 of NCCL communicator world")
                        .withMessageContaining("device " + rank + " failed with error 2");
                return "reported";
            }
        });

        assertThat(SHIM.communicators()).isLessThanOrEqualTo(before);
    }

    @Test
    void childWhoseCreationTimesOutIsFreedWithItsParent() throws Exception {
        long before = SHIM.communicators();
        SHIM.set("ncclCommInitChild", "block");
        List<NcclCommunicator> worlds =
                ranks.run((call, rank) -> NcclCommunicator.bootstrap(call, rank, "world", SHORT));

        for (CompletableFuture<String> each : List.of(splitUntilTimeout(0, worlds), splitUntilTimeout(1, worlds))) {
            assertThat(Ranks.get(each)).contains("creation of split 0 of").contains("has not ended within 1000 ms");
        }
        SHIM.unset("ncclCommInitChild");
        worlds.forEach(NcclCommunicator::close);

        assertThat(SHIM.communicators()).isLessThanOrEqualTo(before);
    }

    private CompletableFuture<String> splitUntilTimeout(int rank, List<NcclCommunicator> worlds) {
        return ranks.start(rank, (call, same) -> {
            try {
                return worlds.get(rank).split(0, 0).toString();
            } catch (GpuException e) {
                return String.valueOf(e.getMessage());
            }
        });
    }

    @Test
    void childThatIsAbandonedAfterTheAbortIsFreed() throws Exception {
        long before = SHIM.communicators();
        ranks.run((call, rank) -> {
            NcclCommunicator world = NcclCommunicator.bootstrap(call, rank);
            CommunicatorFamily family = Communicators.of(rank).get(0);
            Nccl.Child child = Bindings.nccl().split(world.address(), 0, 0);
            await().until(() -> world.asyncError() == 0);
            world.close();
            family.abandon(child);
            return "abandoned";
        });

        await().until(() -> SHIM.communicators() <= before);
    }

    @Test
    void shrinkExcludesDeadRanksAndEndsTheWaitsForThem() throws Exception {
        CompletableFuture<float[]> survivor = ranks.start(0, (call, rank) -> {
            try (NcclCommunicator world = NcclCommunicator.bootstrap(call, rank);
                    CudaStream stream = CudaStream.create(rank);
                    DeviceBuffer data = Work.floats(stream, 7)) {
                world.allReduce(data, data, Reduction.SUM, stream); // rank 1 never comes
                try (NcclCommunicator rest = world.shrink(Set.of(1))) {
                    assertThat(rest.worldSize()).isEqualTo(1);
                    rest.allReduce(data, data, Reduction.SUM, stream);
                    float[] result = Work.read(data, rest, stream);
                    rest.finish();
                    return result;
                }
            }
        });
        ranks.start(1, NcclCommunicator::bootstrap).get().close();

        assertThat(Ranks.get(survivor)).containsExactly(7);
    }

    @Test
    void collectiveWhosePeerIsGoneReturnsWhenTheRestartAbortsIt() throws Exception {
        CompletableFuture<float[]> hanging = ranks.start(
                0,
                (call, rank) -> Work.with(call, rank, (world, stream) -> {
                    try (DeviceBuffer data = Work.floats(stream, 1)) {
                        world.allReduce(data, data, Reduction.SUM, stream);
                        return Work.read(data, world, stream);
                    }
                }));
        try (NcclCommunicator peer = Ranks.get(ranks.start(1, NcclCommunicator::bootstrap))) {
            ranks.awaitBlocked(1);
            ranks.call(0).restart();

            assertThatThrownBy(() -> Ranks.get(hanging))
                    .isInstanceOf(NcclAbortedException.class)
                    .hasMessageContaining("world of rank 0/2 is aborted");
            assertThat(peer.asyncError()).isZero();
        }
    }

    @Test
    void creationWithoutPeersFailsAtItsLimit() {
        assertThatExceptionOfType(GpuException.class)
                .isThrownBy(() -> NcclCommunicator.bootstrap(ranks.call(0), 0, "world", SHORT))
                .withMessageContaining("creation of NCCL communicator world of rank 0/2 has not ended within 1000 ms")
                .withMessageContaining("is a peer missing?");
    }

    @Test
    void creationThatIsStuckInNativeCodeFailsAtItsLimit() {
        SHIM.set("ncclCommInitRankConfig", "block");

        assertThatExceptionOfType(GpuException.class)
                .isThrownBy(() -> NcclCommunicator.bootstrap(ranks.call(0), 0, "world", SHORT))
                .withMessageContaining(" is at [")
                .withMessageContaining("ncclCommInitRankConfig");
    }

    @Test
    void creationThatFailsAtOnceIsReportedAndFreed() throws Exception {
        long before = SHIM.communicators();
        SHIM.set("ncclCommInitRankConfig.async", "fail:6");

        assertThatExceptionOfType(GpuCallException.class)
                .isThrownBy(() -> NcclCommunicator.bootstrap(ranks.call(0), 0))
                .withMessageContaining(
                        "creation of NCCL communicator world of rank 0/2 on device 0 failed with error 6")
                .withMessageContaining("remote process exited");

        await().until(() -> SHIM.communicators() <= before);
    }

    @Test
    void creationThatIsRefusedIsReported() {
        SHIM.set("ncclCommInitRankConfig", "fail:4");

        assertThatExceptionOfType(GpuCallException.class)
                .isThrownBy(() -> NcclCommunicator.bootstrap(ranks.call(0), 0))
                .withMessageContaining("ncclCommInitRankConfig on NCCL failed with error 4");
    }

    @Test
    void restartEndsACreationThatWaitsForPeers() throws Exception {
        CompletableFuture<NcclCommunicator> creation = ranks.start(0, NcclCommunicator::bootstrap);
        await().until(() -> ranks.store().check(List.of("nccl/world")));

        ranks.call(0).restart();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(creation::get)
                .withCauseInstanceOf(Throwable.class)
                .satisfies(
                        e -> assertThat(e.getCause()).isInstanceOfAny(RestartSignal.class, NcclAbortedException.class));
    }

    @Test
    void errorInTheBackgroundIsReportedWithItsText() throws Exception {
        ranks.run((call, rank) -> Work.with(call, rank, (world, stream) -> {
            try (DeviceBuffer data = Work.floats(stream, 1)) {
                if (rank == 0) {
                    // Rank 1 polls for errors until then, and would receive this one.
                    call.store().get("ready");
                    SHIM.set("ncclCommGetAsyncError", "fail:6");
                    assertThatExceptionOfType(GpuCallException.class)
                            .isThrownBy(() -> world.broadcast(data, data, 0, stream))
                            .withMessageContaining("device 0 failed with error 6")
                            .withMessageContaining("remote process exited")
                            .satisfies(e -> assertThat(e.code()).isEqualTo(6));
                    SHIM.unset("ncclCommGetAsyncError");
                    call.store().set("reported", "yes");
                } else {
                    call.store().set("ready", "yes");
                    call.store().get("reported");
                    world.broadcast(data, data, 0, stream);
                }
                return "done";
            }
        }));
    }

    @Test
    void operationHasALimitOfItsOwnForItsPeers() throws Exception {
        ranks.run((call, rank) -> {
            try (NcclCommunicator world =
                            NcclCommunicator.bootstrap(call, rank, "world", NcclCommunicator.DEFAULT_LIMIT, SHORT);
                    CudaStream stream = CudaStream.create(rank);
                    DeviceBuffer data = Work.floats(stream, 1)) {
                if (rank == 0) {
                    // Rank 1 polls for errors until then, and would receive this one.
                    call.store().get("ready");
                    SHIM.set("ncclCommGetAsyncError", "fail:7");
                    assertThatExceptionOfType(GpuException.class)
                            .isThrownBy(() -> world.broadcast(data, data, 0, stream))
                            .withMessageContaining("broadcast of NCCL communicator world of rank 0/2")
                            .withMessageContaining("has not ended within 1000 ms")
                            .withMessageContaining("is a peer missing?");
                } else {
                    call.store().set("ready", "yes");
                }
                return "done";
            }
        });
    }

    @Test
    void operationMayTakeLongerThanTheCreation() {
        assertThat(NcclCommunicator.DEFAULT_OPERATION_LIMIT).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void buffersThatDoNotMatchAreRefused() throws Exception {
        ranks.run((call, rank) -> Work.with(call, rank, (world, stream) -> {
            try (DeviceBuffer two = Work.floats(stream, 1, 2);
                    DeviceBuffer bytes = DeviceBuffer.allocate(rank, DataType.INT8, 2)) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> world.allReduce(two, bytes, Reduction.SUM, stream))
                        .withMessage("buffer of 2 FLOAT32 on device %d and buffer of 2 INT8 on device %d do not match"
                                .formatted(rank, rank));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> world.send(two, 2, stream))
                        .withMessageStartingWith("there is no rank 2");
                return "refused";
            }
        }));
    }

    @Test
    void closeAbortsACommunicatorThatWasNotFinished() throws Exception {
        ranks.run((call, rank) -> {
            NcclCommunicator world = NcclCommunicator.bootstrap(call, rank);
            world.close();
            world.close();
            assertThatExceptionOfType(NcclAbortedException.class).isThrownBy(world::address);
            return "closed";
        });
    }
}
