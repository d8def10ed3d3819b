package dev.resiliency.inprocess.internal.jvmti;

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

/**
 * The required JVMTI functions, called through the function table of our own environment. The two capabilities can be
 * added while the virtual machine runs, and cost nothing.
 */
final class JvmtiEnvironment {
    static final int OK = 0;
    static final int THREAD_NOT_ALIVE = 15;
    /** The bit of a thread's state for native code. */
    static final int IN_NATIVE = 0x400000;

    private static final int JVMTI_VERSION = 0x30010200;
    /** Index in the table of the invocation interface, counted from 0. */
    private static final int GET_ENV = 6;

    // Numbers of the JVMTI functions, counted from 1 as the specification does.
    private static final int SUSPEND_THREAD = 5;
    private static final int RESUME_THREAD = 6;
    private static final int STOP_THREAD = 7;
    private static final int GET_THREAD_STATE = 17;
    private static final int ADD_CAPABILITIES = 142;

    private static final int CAPABILITIES_SIZE = 16;
    private static final int CAN_SIGNAL_THREAD = 1 << 10;
    private static final int CAN_SUSPEND = 1 << 20;

    private static final Map<String, ?> OBJECTS_AS_THEY_ARE = Map.of(Library.OPTION_ALLOW_OBJECTS, true);

    private final Pointer environment;
    private final Function suspendThread;
    private final Function resumeThread;
    private final Function stopThread;
    private final Function getThreadState;

    private JvmtiEnvironment(Pointer environment) {
        this.environment = environment;
        this.suspendThread = function(SUSPEND_THREAD);
        this.resumeThread = function(RESUME_THREAD);
        this.stopThread = function(STOP_THREAD);
        this.getThreadState = function(GET_THREAD_STATE);
    }

    /** Opens an environment that lives as long as the virtual machine. */
    static JvmtiEnvironment open() {
        PointerByReference machine = new PointerByReference();
        IntByReference count = new IntByReference();
        check(
                "JNI_GetCreatedJavaVMs",
                virtualMachine().getFunction("JNI_GetCreatedJavaVMs").invokeInt(new Object[] {machine, 1, count}));
        Pointer invocationTable = machine.getValue().getPointer(0);
        PointerByReference environment = new PointerByReference();
        check(
                "GetEnv",
                Function.getFunction(invocationTable.getPointer((long) GET_ENV * Native.POINTER_SIZE))
                        .invokeInt(new Object[] {machine.getValue(), environment, JVMTI_VERSION}));
        JvmtiEnvironment opened = new JvmtiEnvironment(environment.getValue());
        opened.addCapabilities();
        return opened;
    }

    private static NativeLibrary virtualMachine() {
        Path library = Path.of(System.getProperty("java.home"), "lib", "server", System.mapLibraryName("jvm"));
        return Files.exists(library) ? NativeLibrary.getInstance(library.toString()) : NativeLibrary.getProcess();
    }

    private void addCapabilities() {
        try (Memory capabilities = new Memory(CAPABILITIES_SIZE)) {
            capabilities.clear();
            capabilities.setInt(0, CAN_SIGNAL_THREAD | CAN_SUSPEND);
            check("AddCapabilities", call(function(ADD_CAPABILITIES), environment, capabilities));
        }
    }

    private Function function(int number) {
        Pointer table = environment.getPointer(0);
        return Function.getFunction(table.getPointer((number - 1L) * Native.POINTER_SIZE));
    }

    /** Suspends a thread. Like the methods below, returns a JVMTI error code. */
    int suspend(Thread thread) {
        return call(suspendThread, environment, thread);
    }

    int resume(Thread thread) {
        return call(resumeThread, environment, thread);
    }

    int stop(Thread thread, Throwable throwable) {
        return call(stopThread, environment, thread, throwable);
    }

    /** Writes the bits of the state to {@code state}. */
    int threadState(Thread thread, Memory state) {
        return call(getThreadState, environment, thread, state);
    }

    private static int call(Function function, Object... arguments) {
        return (Integer) function.invoke(int.class, arguments, OBJECTS_AS_THEY_ARE);
    }

    private static void check(String function, int error) {
        if (error != OK) {
            throw new IllegalStateException(function + " failed with error " + error);
        }
    }
}
