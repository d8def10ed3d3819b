package dev.resiliency.testing;

import dev.resiliency.inprocess.CallWrapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ways in which a thread can stop to make progress. None of the methods returns. */
final class Hang {
    private Hang() {}

    static void sleep() throws InterruptedException {
        Thread.sleep(Long.MAX_VALUE);
    }

    /** The processor is used, so only the missing ping tells that nothing comes of it. */
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

    /** Each of two threads has a lock and waits for the other's: also if a restart interrupts this one before it does. */
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

    /** As good code does it: an interrupt does not end the read, but the abort action does. */
    static void read(CallWrapper call) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(silent.getInetAddress(), silent.getLocalPort())) {
            call.onAbort(socket::close);
            int read = socket.getInputStream().read();
            throw new AssertionError("nobody wrote, but " + read + " was read");
        }
    }

    /** The thread waits inside a native function; nobody closes the socket. */
    static void standInNativeFunction() throws IOException {
        try (ServerSocket unknown = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket visitor = unknown.accept()) {
            throw new AssertionError(visitor + " has found a port that nobody knows");
        }
    }
}
