package dev.resiliency.testing;

import dev.resiliency.inprocess.CallWrapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ways in which a thread can stop making progress. None of the methods returns. */
final class Hang {
    private Hang() {}

    static void sleep() throws InterruptedException {
        Thread.sleep(Long.MAX_VALUE);
    }

    /** Computes endlessly: since the processor is used, only the missing pings reveal the hang. */
    @SuppressWarnings("InfiniteLoop")
    static void spin(CallWrapper call) {
        call.ping();
        while (true) {
            Thread.onSpinWait();
        }
    }

    static void goOnWithoutPing(CallWrapper call) throws InterruptedException {
        call.ping();
        CountDownLatch never = new CountDownLatch(1);
        while (true) {
            never.await(1, TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Deadlocks two threads, each of which holds a lock and waits for the other's, even if a restart interrupts this
     * one first.
     */
    static void deadlock() {
        Object own = new Object();
        Object others = new Object();
        CountDownLatch bothHold = new CountDownLatch(2);
        Thread other = new Thread(
                () -> {
                    synchronized (others) {
                        bothHold.countDown();
                        awaitUninterruptibly(bothHold);
                        synchronized (own) {
                            throw new AssertionError("the lock was free");
                        }
                    }
                },
                "fault-deadlock");
        other.setDaemon(true);
        synchronized (own) {
            other.start();
            bothHold.countDown();
            awaitUninterruptibly(bothHold);
            synchronized (others) {
                throw new AssertionError("the lock was free");
            }
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Blocks in a read, as in well-written code: an interrupt does not end it, but the abort action does. */
    static void read(CallWrapper call) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(silent.getInetAddress(), silent.getLocalPort())) {
            call.onAbort(socket::close);
            int read = socket.getInputStream().read();
            throw new AssertionError("the socket was silent, but " + read + " was read");
        }
    }

    /** Waits inside a native function; nothing closes the socket. */
    static void standInNativeFunction() throws IOException {
        try (ServerSocket unknown = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket visitor = unknown.accept()) {
            throw new AssertionError(visitor + " has connected to a private port");
        }
    }
}
