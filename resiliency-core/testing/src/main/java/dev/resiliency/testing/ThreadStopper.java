package dev.resiliency.testing;

import com.sun.jna.Function;
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.PointerByReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Throws an exception into another thread through JVMTI's {@code StopThread}, which JNA reaches without an agent. */
final class ThreadStopper {
    private static final int OK = 0;
    private static final int JVMTI_VERSION = 0x30010200;
    /** Index in the table of the invocation interface, counted from 0. */
    private static final int GET_ENV = 6;
    /** Numbers of JVMTI functions, counted from 1 as the specification does. */
    private static final int STOP_THREAD = 7;

    private static final int ADD_CAPABILITIES = 142;
    private static final int CAPABILITIES_SIZE = 16;
    private static final int CAN_SIGNAL_THREAD = 1 << 10;
    private static final Map<String, ?> OBJECTS_AS_THEY_ARE = Map.of(Library.OPTION_ALLOW_OBJECTS, true);

    private final Pointer environment;

    private ThreadStopper(Pointer environment) {
        this.environment = environment;
    }

    /** Returns the stopper of this process; null without JNA, or if the JVM does not support it. */
    static @Nullable ThreadStopper find() {
        return Loaded.STOPPER;
    }

    /** Throws into the thread, wherever it is in Java code. */
    void throwInto(Thread thread, Throwable throwable) {
        check("StopThread", call(STOP_THREAD, environment, thread, throwable));
    }

    /** Opens our own JVMTI environment, which lives as long as the JVM. */
    private static ThreadStopper open() {
        PointerByReference machine = new PointerByReference();
        check(
                "JNI_GetCreatedJavaVMs",
                virtualMachine()
                        .getFunction("JNI_GetCreatedJavaVMs")
                        .invokeInt(new Object[] {machine, 1, new IntByReference()}));
        PointerByReference environment = new PointerByReference();
        check(
                "GetEnv",
                Function.getFunction(machine.getValue().getPointer(0).getPointer((long) GET_ENV * Native.POINTER_SIZE))
                        .invokeInt(new Object[] {machine.getValue(), environment, JVMTI_VERSION}));
        ThreadStopper stopper = new ThreadStopper(environment.getValue());
        try (Memory capabilities = new Memory(CAPABILITIES_SIZE)) {
            capabilities.clear();
            capabilities.setInt(0, CAN_SIGNAL_THREAD);
            check("AddCapabilities", stopper.call(ADD_CAPABILITIES, stopper.environment, capabilities));
        }
        return stopper;
    }

    private static NativeLibrary virtualMachine() {
        Path library = Path.of(System.getProperty("java.home"), "lib", "server", System.mapLibraryName("jvm"));
        return Files.exists(library) ? NativeLibrary.getInstance(library.toString()) : NativeLibrary.getProcess();
    }

    private int call(int number, Object... arguments) {
        Pointer function = environment.getPointer(0).getPointer((number - 1L) * Native.POINTER_SIZE);
        return (Integer) Function.getFunction(function).invoke(int.class, arguments, OBJECTS_AS_THEY_ARE);
    }

    private static void check(String function, int error) {
        if (error != OK) {
            throw new IllegalStateException(function + " failed with JVMTI error " + error);
        }
    }

    /** Loads it once. */
    private static final class Loaded {
        private static final Logger LOG = LoggerFactory.getLogger(ThreadStopper.class);
        private static final @Nullable ThreadStopper STOPPER = load();

        private Loaded() {}

        private static @Nullable ThreadStopper load() {
            try {
                Class.forName("com.sun.jna.Native", false, ThreadStopper.class.getClassLoader());
            } catch (ClassNotFoundException absent) {
                return null;
            }
            try {
                return open();
            } catch (LinkageError | RuntimeException e) {
                LOG.info("JNA cannot access JVMTI, so no exception can be thrown into a thread", e);
                return null;
            }
        }
    }
}
