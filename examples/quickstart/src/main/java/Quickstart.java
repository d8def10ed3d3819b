import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.state.LiveState;
import java.io.*;
import java.net.*;
import java.nio.DoubleBuffer;
import java.nio.file.*;
import java.util.stream.DoubleStream;

/** Fits the slope of a line on several processes, and goes on without a lost step when one of them dies. */
public final class Quickstart {
    private static final Path CHECKPOINT = Path.of("quickstart.checkpoint"); // in a directory that all ranks share

    public static void main(String[] arguments) throws Exception {
        Double slope = Wrapper.builder().build().call(Quickstart::train); // returns when every rank has finished
        Files.deleteIfExists(CHECKPOINT);
        System.out.println("finished: slope %.4f".formatted(slope));
    }

    /** Runs on every rank, and again on all that are left each time one of them fails. */
    private static double train(CallWrapper call) throws IOException, InterruptedException {
        int rank = call.state().activeRank(); // may change from one iteration to the next
        int ranks = call.state().activeWorldSize();
        LiveState state = LiveState.of(call);
        DoubleBuffer slope = state.doubles("slope", 1);
        long step = state.recover(() -> readCheckpoint(slope)); // from this process or another rank, or else the file
        long pid = ProcessHandle.current().pid();
        System.out.println("rank %d of %d (process %d) continues after step %d".formatted(rank, ranks, pid, step));

        try (ServerSocket server = new ServerSocket(0)) {
            call.onAbort(server::close); // an interrupt does not end a blocked socket call; closing the socket does
            call.store().set("port/" + rank, Integer.toString(server.getLocalPort()));
            int port = Integer.parseInt(call.store().get("port/" + (rank + 1) % ranks).text());
            try (Socket next = new Socket("127.0.0.1", port); Socket previous = server.accept()) {
                call.onAbort(next::close);
                call.onAbort(previous::close);
                DataOutputStream out = new DataOutputStream(next.getOutputStream());
                DataInputStream in = new DataInputStream(previous.getInputStream());

                while (++step <= 1000) {
                    call.step(step); // reports progress; ends this iteration if a rank has failed
                    Thread.sleep(20); // a real model would compute for that long
                    double gradient = 0;
                    for (double x = rank; x < 100; x += ranks) { // this rank's share of the samples
                        gradient += (slope.get(0) * x - 3 * x) * x;
                    }
                    double[] shares = new double[ranks]; // of the gradient, from all ranks, around the ring
                    shares[rank] = gradient;
                    for (int hop = 0; hop < ranks - 1; hop++) {
                        out.writeDouble(shares[(rank + ranks - hop) % ranks]);
                        shares[(rank + ranks - hop - 1) % ranks] = in.readDouble();
                    }
                    double sum = DoubleStream.of(shares).sum(); // in the same order, so with the same bits, on all ranks
                    state.commit(step, () -> slope.put(0, slope.get(0) - 1e-7 * sum));
                    if (rank == 0 && step % 100 == 0) {
                        try (var section = call.atomic()) { // a restart waits until the file is complete
                            section.confirm(); // throws if the others have gone on without this process
                            Files.writeString(CHECKPOINT, step + " " + slope.get(0));
                        }
                    }
                }
            }
        }
        return slope.get(0);
    }

    /** Read only where no rank is left that holds the state: at the beginning, and when all have died. */
    private static long readCheckpoint(DoubleBuffer slope) throws IOException {
        String[] saved = Files.exists(CHECKPOINT) ? Files.readString(CHECKPOINT).split(" ") : new String[] {"0", "0"};
        slope.put(0, Double.parseDouble(saved[1]));
        return Long.parseLong(saved[0]);
    }
}
