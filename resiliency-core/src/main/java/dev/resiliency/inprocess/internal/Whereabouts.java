package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.monitor.StoreSeats;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.JobPrefix;
import dev.resiliency.inprocess.internal.protocol.JobSession;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Where the job lives, as far as this process knows: on its first store, on one that survivors have founded, or where the agent of this
 * process says; and whether this process is there. Confined to the caller, but for {@link #lossOfFollowed}.
 */
final class Whereabouts implements AutoCloseable {
    private static final Logger LOG = SafeLog.of("dev.resiliency.inprocess");

    private final Settings settings;
    private final Environment environment;
    private final int call;
    /** Null unless the agent of this process says where the store is. */
    private final @Nullable FollowedStore followed;
    /** Those of which one hosts the store; empty while the job lives on its first one. */
    private List<StoreSeat> elsewhere = List.of();
    /** Who hosts the store that was opened last; null if it is the first. */
    private @Nullable StoreSeat host;
    /** The scope of the job's stores; empty unless this process has been on one that survivors would found anew. */
    private String scope = "";
    /** The first store, if this rank hosts it and the job lives elsewhere, as it tells those who come. */
    private @Nullable SessionStore signpost;
    /** Whether the store was opened by a process that others would not miss if that is lost, and that looks for the job then. */
    private boolean mayLookAgain;
    /**
     * Whether this process comes to a job that may move, and is not there yet. A founder is there as soon as the job knows it, one that
     * joins with its first iteration.
     */
    private boolean isOnItsWay;
    /** Whether the store is lost, and this process follows its agent. */
    private boolean isLeftBehind;

    /** Begins at the first store. */
    Whereabouts(Settings settings, int call) {
        this.settings = settings;
        this.environment = settings.environment();
        this.call = call;
        this.followed = settings.store() instanceof FollowedStore store ? store : null;
    }

    /** Begins another attempt, if need be once the agent of this process has said where the job goes on. */
    void begin() throws InterruptedException {
        isOnItsWay = false;
        if (isLeftBehind && followed != null) {
            isLeftBehind = false;
            followed.awaitMove(environment, call, settings.timings().barrierTimeout());
        }
    }

    /** Opens the store on which the job lives. */
    SessionStore open() throws InterruptedException {
        if (elsewhere.isEmpty()) {
            return settings.store().open(environment, call);
        }
        StoreSeats.Found found = StoreSeats.find(
                elsewhere,
                StoreSeats.first(environment),
                scope,
                "r" + environment.rank(),
                JobPrefix.of(environment.jobId(), call),
                settings.timings().barrierTimeout());
        host = found.seat();
        isOnItsWay = true;
        return found.store();
    }

    /** Comes to this store. */
    void comeTo(SessionStore store, boolean hasMonitorProcess) {
        mayLookAgain = hasMonitorProcess && environment.rank() != 0 && addressIfRefounded(store) != null;
        isOnItsWay |= mayLookAgain;
    }

    /** The job there knows this process. */
    void enrol(Identity identity) {
        isOnItsWay = host != null || (mayLookAgain && identity.isJoiner());
    }

    /** Takes part on this store. */
    void stay(@Nullable StoreAddress refoundable) {
        if (refoundable != null) {
            scope = refoundable.scope();
        }
    }

    /**
     * Learns where the job goes on.
     *
     * @param seats those of which one hosts the store; empty if it has not moved
     * @param byAgent whether the agent of this process says it instead
     */
    void learn(List<StoreSeat> seats, boolean byAgent) {
        elsewhere = seats.isEmpty() ? elsewhere : seats;
        isLeftBehind = byAgent;
    }

    /** This process was last in iteration {@code k}. */
    void leave(int k) {
        isOnItsWay &= k == RestartStore.BEFORE_FIRST;
    }

    /** Returns whether this process does not depend on the store: if that is lost, it looks for the job. */
    boolean isOnItsWay() {
        return isOnItsWay;
    }

    /** Returns whether the store is lost, and this process follows its agent. */
    boolean isLeftBehind() {
        return isLeftBehind;
    }

    /** Returns whether the agent of this process says where the store is. */
    boolean followsAgent() {
        return followed != null;
    }

    /** Returns why the store is not that of the job any more, as the agent has moved; null if it is. From any thread. */
    @Nullable
    StoreLostException lossOfFollowed() {
        return followed == null ? null : followed.left();
    }

    /** Looks for the job again in the next attempt, unless this process was there: then throws what it was lost by. */
    void lookAgainAfter(StoreLostException lost) {
        if (!isOnItsWay) {
            throw lost;
        }
        LOG.warn(
                "{} {}; this process was not in the job yet, and looks for it again",
                LogPrefix.of(environment),
                lost.getMessage());
        if (!scope.isEmpty()) {
            elsewhere = List.of(StoreSeats.first(environment));
        }
    }

    /** Returns the address of the store if survivors found it anew when its host is lost; otherwise null. */
    @Nullable
    StoreAddress addressIfRefounded(SessionStore store) {
        return settings.refound()
                        && environment.worldSize() > 1
                        && (host != null
                                || JobSession.mayBeHostedAt(
                                        store, environment.masterAddress(), environment.masterPort()))
                ? store.address()
                : null;
    }

    /** Returns who hosts the store; null if no rank does. */
    @Nullable
    StoreSeat host(@Nullable StoreAddress refoundable) {
        return refoundable == null || host != null ? host : new StoreSeat(0, refoundable.host(), refoundable.port());
    }

    /** Keeps this store open until the call ends, if it tells those who come where the job lives; returns whether it does. */
    boolean keepsAsSignpost(SessionStore store) {
        boolean keeps = host == null && environment.rank() == 0 && !elsewhere.isEmpty();
        signpost = keeps ? store : signpost;
        return keeps;
    }

    @Override
    public void close() {
        if (signpost != null) {
            signpost.close();
        }
    }
}
