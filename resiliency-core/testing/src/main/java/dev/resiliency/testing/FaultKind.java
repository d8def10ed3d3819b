package dev.resiliency.testing;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What can be injected into a rank. Corresponds to nvidia-resiliency-ext's {@code Fault}, with more kinds.
 *
 * @since 0.1.0
 */
public enum FaultKind {
    /** The function throws an exception. */
    EXCEPTION(Effect.RESTART, "the function throws an exception"),
    /** The function throws an error that is not the virtual machine's. */
    ERROR(Effect.RESTART, "the function throws an error"),
    /** Another thread makes the function's thread throw. */
    ASYNC_EXCEPTION(Effect.RESTART, "another thread makes the function throw"),
    /** SIGKILL. */
    SIGKILL(Effect.DEATH, "SIGKILL ends the process"),
    /** SIGTERM. */
    SIGTERM(Effect.DEATH, "SIGTERM ends the process"),
    /** SIGINT, as Ctrl-C sends it. */
    SIGINT(Effect.DEATH, "SIGINT ends the process, as Ctrl-C does"),
    /** SIGSTOP: the process stands still, and its monitor process ends it after the hard timeout. */
    SIGSTOP(Effect.DEATH, "SIGSTOP makes the process stand still"),
    /** SIGSEGV, as a crash in native code raises it. */
    SIGSEGV(Effect.DEATH, "SIGSEGV ends the process, as a crash in native code does"),
    /** SIGABRT, as native code raises it that gives up. */
    ABORT(Effect.DEATH, "SIGABRT ends the process, as native code that gives up does"),
    /** {@link System#exit}. */
    SYSTEM_EXIT(Effect.DEATH, "the function calls System.exit"),
    /** The function sleeps; an interrupt wakes it. */
    SLEEP_FOREVER(Effect.RESTART, "the function sleeps until it is interrupted"),
    /** The function computes without end after a last ping, and looks at no interrupt; without JNA its process dies. */
    SPIN_FOREVER(Effect.RESTART, "the function computes without end until it is stopped from outside"),
    /** The function waits for a lock that is never free: no interrupt ends that. */
    DEADLOCK(Effect.DEATH, "the function waits for a lock that is never free"),
    /** The function reads from a socket that nobody writes to, and has registered with {@code onAbort} what closes it. */
    BLOCKED_READ(Effect.RESTART, "the function reads where nobody writes; it has an abort action"),
    /** The function is in a native function that does not return, and nothing is registered that ends it. */
    BLOCKED_NATIVE(Effect.DEATH, "the function is in a native function that nothing ends"),
    /** The function goes on after a last ping. */
    STOP_PING(Effect.RESTART, "the function goes on, but pings no more"),
    /** The function allocates more than there is. */
    OUT_OF_MEMORY(Effect.DEPARTURE, "the function allocates more memory than there is"),
    /** The monitor process of the rank is killed. */
    KILL_MONITOR(Effect.DEPARTURE, "SIGKILL ends the monitor process of the rank"),
    /** The rank and its monitor process stand still, as if their host were gone: nothing is heard of them. */
    HOST_LOSS(Effect.SILENCE, "the process and its monitor stand still, as on a lost host");

    private final Effect effect;
    private final String description;

    FaultKind(Effect effect, String description) {
        this.effect = effect;
        this.description = description;
    }

    /** What a fault leads to; in each case the other ranks go on. */
    public enum Effect {
        /** All ranks restart, this one included. */
        RESTART,
        /** The rank leaves the job: its wrapper throws. Its process lives. */
        DEPARTURE,
        /** The process of the rank ends, by itself or by its monitor process. */
        DEATH,
        /** The process of the rank stays, but is not heard of any more. It can be killed only. */
        SILENCE
    }

    /** What this leads to; for {@link #SPIN_FOREVER} it depends on whether JNA is on the class path of this process. */
    public Effect effect() {
        return this == SPIN_FOREVER && ThreadStopper.find() == null ? Effect.DEATH : effect;
    }

    /** Whether it is noticed by one of the wrapper's timeouts only: soft, hard, or the heartbeat's. */
    public boolean isNoticedByTimeout() {
        return switch (this) {
            case SIGSTOP, SLEEP_FOREVER, SPIN_FOREVER, DEADLOCK, BLOCKED_READ, BLOCKED_NATIVE, STOP_PING, HOST_LOSS ->
                true;
            default -> false;
        };
    }

    /** One sentence for people, without its capital and its full stop. */
    public String description() {
        return description;
    }

    /** As a user writes it: {@code stop-ping}; {@code kill} for {@link #SIGKILL}. */
    @Override
    public String toString() {
        return this == SIGKILL ? "kill" : name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Reads what {@link #toString} writes, or the constant's name, in upper or lower case.
     *
     * @throws IllegalArgumentException if it is neither; names all kinds
     */
    public static FaultKind parse(String text) {
        return Arrays.stream(values())
                .filter(kind ->
                        kind.toString().equalsIgnoreCase(text) || kind.name().equalsIgnoreCase(text.replace('-', '_')))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is no kind of fault: use one of "
                        + Arrays.stream(values()).map(FaultKind::toString).collect(Collectors.joining(", "))));
    }
}
