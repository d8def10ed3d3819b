package dev.resiliency.inprocess.internal.watch;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;

/** Functions of the C library, mapped directly: a call allocates nothing, and its frame is a native method. */
final class LibC {
    static {
        Native.register("c");
    }

    private LibC() {}

    static native int usleep(int micros);

    static native int poll(Pointer fds, long count, int timeoutMillis);

    static native long read(int fd, Pointer buffer, long count);

    static native long write(int fd, Pointer buffer, long count);

    static native int pipe(Pointer fds);

    static native int close(int fd);

    static native int pthread_spin_init(Pointer lock, int shared);

    /** Spins, in native code, until another thread unlocks. */
    static native int pthread_spin_lock(Pointer lock);

    static native int pthread_spin_unlock(Pointer lock);

    /** A pipe that stays empty until it is closed. */
    static final class SilentPipe implements AutoCloseable {
        private final int readEnd;
        private final int writeEnd;
        private final Memory pollEntry = new Memory(8);
        private final Memory buffer = new Memory(1);

        SilentPipe() {
            try (Memory ends = new Memory(8)) {
                if (pipe(ends) != 0) {
                    throw new IllegalStateException("pipe failed");
                }
                readEnd = ends.getInt(0);
                writeEnd = ends.getInt(4);
            }
            pollEntry.setInt(0, readEnd);
            pollEntry.setInt(4, 1); // POLLIN
        }

        void read() {
            LibC.read(readEnd, buffer, 1);
        }

        void poll(int timeoutMillis) {
            LibC.poll(pollEntry, 1, timeoutMillis);
        }

        /** Lets both of the above return. */
        @Override
        public void close() {
            write(writeEnd, buffer, 1);
            LibC.close(writeEnd);
        }
    }

    /** A lock that is held. */
    static final class HeldSpinLock implements AutoCloseable {
        private final Memory lock = new Memory(8);

        HeldSpinLock() {
            pthread_spin_init(lock, 0);
            pthread_spin_lock(lock);
        }

        void lock() {
            pthread_spin_lock(lock);
        }

        @Override
        public void close() {
            pthread_spin_unlock(lock);
        }
    }
}
