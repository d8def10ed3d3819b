package dev.resiliency.launcher.it;

import dev.resiliency.inprocess.CallWrapper;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A ring of sockets, as a user writes collectives: whoever loses its neighbour gets what the kernel says. */
final class RankRing implements AutoCloseable {
    private final int world;
    private final ServerSocket server;
    private final Socket next;
    private final Socket previous;
    private final DataOutputStream out;
    private final DataInputStream in;

    /** Connects the active ranks of an iteration. */
    RankRing(CallWrapper call) throws IOException, InterruptedException {
        world = call.state().activeWorldSize();
        int rank = call.state().activeRank();
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        call.onAbort(server::close);
        call.store().set("ring/" + rank, Integer.toString(server.getLocalPort()));
        int port =
                Integer.parseInt(call.store().get("ring/" + (rank + 1) % world).text());
        next = new Socket(InetAddress.getLoopbackAddress(), port);
        call.onAbort(next::close);
        previous = server.accept();
        call.onAbort(previous::close);
        next.setTcpNoDelay(true);
        out = new DataOutputStream(new BufferedOutputStream(next.getOutputStream()));
        in = new DataInputStream(new BufferedInputStream(previous.getInputStream()));
    }

    /** Returns the sum of what all ranks give. */
    long allReduce(long own) throws IOException {
        long sum = own;
        long passed = own;
        for (int hop = 1; hop < world; hop++) {
            out.writeLong(passed);
            out.flush();
            passed = in.readLong();
            sum += passed;
        }
        return sum;
    }

    @Override
    public void close() throws IOException {
        next.close();
        previous.close();
        server.close();
    }
}
