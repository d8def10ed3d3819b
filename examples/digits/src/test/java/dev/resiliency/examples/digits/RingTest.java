package dev.resiliency.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.spi.InMemoryStore;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingTest {
    private static final int TWO_PIECES_AND_A_BIT = 4096 * 10 + 13;

    private final InMemoryStore store = InMemoryStore.create();

    @AfterEach
    void tearDown() {
        store.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 10", "2, 1", "2, 10", "3, 10", "4, 3", "5, 0", "5, 23", "5, 40973", "2, 2000000"})
    void everyRankHasTheExactSums(int worldSize, int length) throws Exception {
        List<float[]> results = Ranks.run(worldSize, rank -> {
            try (Ring ring = connected(rank, worldSize)) {
                float[] data = new float[length];
                for (int i = 0; i < length; i++) {
                    data[i] = (rank + 1) * (i % 100);
                }
                ring.allReduce(data);
                return data;
            }
        });

        float[] sums = new float[length];
        for (int i = 0; i < length; i++) {
            sums[i] = worldSize * (worldSize + 1) / 2 * (i % 100);
        }
        assertThat(results).allMatch(result -> Arrays.equals(result, sums));
    }

    @Test
    void roundedSumsAreTheSameToTheBitOnEveryRank() throws Exception {
        List<float[]> results = Ranks.run(3, rank -> {
            try (Ring ring = connected(rank, 3)) {
                float[] data = new float[TWO_PIECES_AND_A_BIT];
                for (int round = 0; round < 10; round++) {
                    for (int i = 0; i < data.length; i++) {
                        data[i] = data[i] / 3 + 1f / (i + rank + 1);
                    }
                    ring.allReduce(data);
                }
                return data;
            }
        });

        assertThat(results.get(1)).isEqualTo(results.get(0));
        assertThat(results.get(2)).isEqualTo(results.get(0));
    }

    @Test
    void rankThatLeavesEndsTheWaitOfAllOthers() throws Exception {
        List<FutureTask<Void>> ranks = Ranks.start(3, rank -> {
            try (Ring ring = connected(rank, 3)) {
                float[] data = new float[100];
                ring.allReduce(data);
                if (rank != 1) {
                    ring.allReduce(data);
                }
                return null;
            }
        });

        for (int rank : new int[] {0, 2}) {
            assertThat(Ranks.failureOf(ranks.get(rank)))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("rank " + rank + " of 3 ");
        }
    }

    @Test
    void closingUnblocksTheRankThatWaitsForAStuckPeer() throws Exception {
        CyclicBarrier connected = new CyclicBarrier(3);
        Ring[] rings = {new Ring(0, 2), new Ring(1, 2)};
        List<FutureTask<Void>> ranks = Ranks.start(2, rank -> {
            rings[rank].connect(store);
            connected.await();
            if (rank == 0) { // rank 1 is stuck
                rings[0].allReduce(new float[100]);
            }
            return null;
        });
        connected.await();

        rings[0].close();

        assertThat(Ranks.failureOf(ranks.get(0)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the ring was closed");
        rings[1].close();
    }

    @Test
    void peerThatDiedAfterPublishingItsAddressIsNamed() throws Exception {
        listeningAsRank(1).close();

        try (Ring ring = new Ring(0, 3)) {
            assertThatThrownBy(() -> ring.connect(store))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("rank 0 of 3 cannot reach rank 1");
        }
    }

    @Test
    void strangerIsRefused() throws Exception {
        try (ServerSocket peer = listeningAsRank(1);
                Ring ring = new Ring(0, 3)) {
            FutureTask<Void> rank = connecting(ring);
            peer.accept();
            int port = Integer.parseInt(store.get("ring/0").text());
            try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port)) {
                new DataOutputStream(stranger.getOutputStream()).writeInt(7);

                assertThat(Ranks.failureOf(rank)).hasRootCauseMessage("rank 7 connected instead");
            }
        }
    }

    private ServerSocket listeningAsRank(int rank) throws IOException, InterruptedException {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        store.set("ring/" + rank, Integer.toString(server.getLocalPort()));
        return server;
    }

    private FutureTask<Void> connecting(Ring ring) {
        return Ranks.<Void>start(1, rank -> {
                    ring.connect(store);
                    return null;
                })
                .get(0);
    }

    private Ring connected(int rank, int worldSize) throws IOException, InterruptedException {
        Ring ring = new Ring(rank, worldSize);
        ring.connect(store);
        return ring;
    }
}
