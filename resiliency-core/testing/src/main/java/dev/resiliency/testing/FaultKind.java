package dev.resiliency.testing;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The kinds of faults that can be injected into a rank. Corresponds to nvidia-resiliency-ext's {@code Fault}, which has
 * fewer kinds.
 *
 * @since 0.1.0
 */
public enum FaultKind {
    /** The function throws an exception. */
    EXCEPTION(Effect.RESTART, "the function throws an exception"),
    /** The function throws an error that does not come from the virtual machine. */
    ERROR(Effect.RESTART, "the function throws an error"),
    /** Another thread makes the function's thread throw. */
    ASYNC_EXCEPTION(Effect.RESTART, "another thread makes the function throw"),
    /** SIGKILL. */
    SIGKILL(Effect.DEATH, "SIGKILL ends the process"),
    /** SIGTERM. */
    SIGTERM(Effect.DEATH, "SIGTERM ends the process"),
    /** SIGINT, as Ctrl-C sends it. */
    SIGINT(Effect.DEATH, "SIGINT ends the process, as Ctrl-C does"),
    /** SIGSTOP: the process is suspended, and its monitor process ends it after the hard timeout. */
    SIGSTOP(Effect.DEATH, "SIGSTOP suspends the process"),
    /** SIGSEGV, as a crash in native code raises it. */
    SIGSEGV(Effect.DEATH, "SIGSEGV ends the process, as a crash in native code does"),
    /** SIGABRT, as a failed assertion in native code raises it. */
    ABORT(Effect.DEATH, "SIGABRT ends the process, as a failed assertion in native code does"),
    /** {@link System#exit}. */
    SYSTEM_EXIT(Effect.DEATH, "the function calls System.exit"),
    /** The function sleeps; an interrupt wakes it. */
    SLEEP_FOREVER(Effect.RESTART, "the function sleeps until it is interrupted"),
    /** The function computes endlessly after a last ping, and ignores interrupts; without JNA its process dies. */
    SPIN_FOREVER(Effect.RESTART, "the function computes endlessly until it is stopped from outside"),
    /** The function waits for a lock that is never released, which no interrupt ends. */
    DEADLOCK(Effect.DEATH, "the function waits for a lock that is never released"),
    /** The function reads from a silent socket, and has registered an action with {@code onAbort} that closes it. */
    BLOCKED_READ(Effect.RESTART, "the function blocks reading from a socket; it has an abort action"),
    /** The function is in a native function that does not return, and has registered nothing that unblocks it. */
    BLOCKED_NATIVE(Effect.DEATH, "the function blocks in native code, and nothing unblocks it"),
    /** The function continues without pinging after a last ping. */
    STOP_PING(Effect.RESTART, "the function continues, but stops pinging"),
    /** The function allocates more memory than is available. */
    OUT_OF_MEMORY(Effect.DEPARTURE, "the function allocates more memory than is available"),
    /** The monitor process of the rank is killed. */
    KILL_MONITOR(Effect.DEPARTURE, "SIGKILL ends the monitor process of the rank"),
    /** The rank and its monitor process are suspended, and as silent as if their host were lost. */
    HOST_LOSS(Effect.SILENCE, "the process and its monitor process are suspended, as on a lost host");

    private final Effect effect;
    private final String description;

    FaultKind(Effect effect, String description) {
        this.effect = effect;
        this.description = description;
    }

    /** The effect of a fault; in each case the other ranks continue. */
    public enum Effect {
        /** All ranks restart, including this one. */
        RESTART,
        /** The rank leaves the job: its wrapper throws. Its process survives. */
        DEPARTURE,
        /** The process of the rank ends, by itself or by its monitor process. */
        DEATH,
        /** The process of the rank stays but is silent, and can only be killed. */
        SILENCE
    }

    /**
     * Returns the effect of the fault; for {@link #SPIN_FOREVER} it depends on whether JNA is on the class path of this
     * process.
     */
    public Effect effect() {
        return this == SPIN_FOREVER && ThreadStopper.find() == null ? Effect.DEATH : effect;
    }

    /** Returns whether only one of the wrapper's timeouts detects the fault: soft, hard, or heartbeat. */
    public boolean isNoticedByTimeout() {
        return switch (this) {
            case SIGSTOP, SLEEP_FOREVER, SPIN_FOREVER, DEADLOCK, BLOCKED_READ, BLOCKED_NATIVE, STOP_PING, HOST_LOSS ->
                true;
            default -> false;
        };
    }

    /** Returns a sentence for people, without capitalization and full stop. */
    public String description() {
        return description;
    }

    /** Returns the name that users write: {@code stop-ping}; {@code kill} for {@link #SIGKILL}. */
    @Override
    public String toString() {
        return this == SIGKILL ? "kill" : name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Parses the text of {@link #toString} or the constant's name, in upper or lower case.
     *
     * @throws IllegalArgumentException if the text is neither; names all kinds
     */
    public static FaultKind parse(String text) {
        return Arrays.stream(values())
                .filter(kind ->
                        kind.toString().equalsIgnoreCase(text) || kind.name().equalsIgnoreCase(text.replace('-', '_')))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not a kind of fault; use one of "
                        + Arrays.stream(values()).map(FaultKind::toString).collect(Collectors.joining(", "))));
    }
}
