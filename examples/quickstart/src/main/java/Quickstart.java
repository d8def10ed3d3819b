import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Wrapper;
import java.io.*;
import java.net.*;
import java.nio.file.*;

/** Fits the slope of a line on several processes, and continues when one of them dies: see README.md. */
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
        String[] saved = Files.exists(CHECKPOINT) ? Files.readString(CHECKPOINT).split(" ") : new String[] {"0", "0"};
        double slope = Double.parseDouble(saved[1]);
        long pid = ProcessHandle.current().pid();
        System.out.println("rank %d of %d (process %d) starts after step %s".formatted(rank, ranks, pid, saved[0]));
        try (ServerSocket server = new ServerSocket(0)) {
            call.onAbort(server::close); // an interrupt does not end a blocked socket call; closing the socket does
            call.store().set("port/" + rank, Integer.toString(server.getLocalPort()));
            int port = Integer.parseInt(call.store().get("port/" + (rank + 1) % ranks).text());
            try (Socket next = new Socket("127.0.0.1", port); Socket previous = server.accept()) {
                call.onAbort(next::close);
                call.onAbort(previous::close);
                DataOutputStream out = new DataOutputStream(next.getOutputStream());
                DataInputStream in = new DataInputStream(previous.getInputStream());

                for (int step = Integer.parseInt(saved[0]) + 1; step <= 500; step++) {
                    call.ping(); // reports progress; ends this iteration if a rank has failed
                    Thread.sleep(20); // a real model would compute for that long
                    double gradient = 0;
                    for (double x = rank; x < 100; x += ranks) { // this rank's share of the samples
                        gradient += (slope * x - 3 * x) * x;
                    }
                    double passedOn = gradient;
                    for (int hop = 1; hop < ranks; hop++) { // the sum over all ranks, around the ring
                        out.writeDouble(passedOn);
                        passedOn = in.readDouble();
                        gradient += passedOn;
                    }
                    slope -= 1e-7 * gradient;
                    if (rank == 0 && step % 50 == 0) {
                        try (var section = call.atomic()) { // a restart waits until the file is complete
                            section.confirm(); // throws if the others have gone on without this process
                            Files.writeString(CHECKPOINT, step + " " + slope);
                        }
                    }
                }
            }
        }
        return slope;
    }
}
