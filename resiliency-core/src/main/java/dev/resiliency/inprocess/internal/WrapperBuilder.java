package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Abort;
import dev.resiliency.inprocess.Completion;
import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Finalize;
import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.Initialize;
import dev.resiliency.inprocess.Prepare;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Terminate;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.inprocess.internal.settings.Hooks;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.settings.Timings;
import dev.resiliency.inprocess.internal.signal.JvmSignal;
import dev.resiliency.inprocess.internal.worker.OncePrepared;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.monitor.spi.StoreNote;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The builder behind {@link Wrapper#builder}. */
public final class WrapperBuilder implements Wrapper.Builder {
    /** The default number of heartbeats within the heartbeat timeout. */
    private static final int HEARTBEATS = 3;

    /** The default of the first-step timeout, in soft timeouts. */
    private static final int FIRST_STEP = 5;

    private static final Duration CONNECT_TIMEOUT = Duration.ofMinutes(1);

    private static final Duration LONGEST_GRACE = Duration.ofDays(36_500);

    private @Nullable Environment environment;
    private @Nullable StoreFactory store;
    private RankAssignment rankAssignment =
            RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks());
    private Elasticity elasticity = Elasticity.defaults();
    private @Nullable Prepare prepare;
    private @Nullable Initialize initialize;
    private @Nullable Abort abort;
    private @Nullable Finalize finish;
    private @Nullable HealthCheck healthCheck;
    private @Nullable Completion completion;
    private @Nullable Terminate terminate;
    private @Nullable RestartListener listener;
    private Duration monitorThreadInterval = Duration.ofSeconds(1);
    private Duration monitorProcessInterval = Duration.ofSeconds(1);
    private @Nullable Duration heartbeatInterval;
    private Duration progressWatchdogInterval = Duration.ofSeconds(1);
    private Duration softTimeout = Duration.ofMinutes(1);
    private Duration hardTimeout = Duration.ofSeconds(90);
    private @Nullable Duration firstStepTimeout;
    private Duration heartbeatTimeout = Duration.ofSeconds(30);
    private Duration barrierTimeout = Duration.ofMinutes(2);
    private Duration completionTimeout = Duration.ofMinutes(2);
    private Duration lastCallWait = Duration.ofMillis(10);
    private Duration terminationGraceTime = Duration.ofSeconds(5);
    private Duration asyncStopDelay = Duration.ofSeconds(5);
    private boolean monitorProcess = true;
    private @Nullable String monitorProcessLogFile;
    private @Nullable String monitorProcessPidFile;
    private @Nullable Boolean warmUp;
    private boolean refound = true;
    private @Nullable Integer callNumber;
    private @Nullable UnaryOperator<Runnable> decorator;
    private boolean enabled = true;
    private final Map<String, Duration> leaveOn = new LinkedHashMap<>();

    @Override
    public Wrapper.Builder environment(Environment value) {
        environment = requireSet("environment", value);
        return this;
    }

    @Override
    public Wrapper.Builder store(StoreFactory value) {
        store = requireSet("store", value);
        return this;
    }

    @Override
    public Wrapper.Builder rankAssignment(RankAssignment value) {
        rankAssignment = RankAssignment.compose(requireSet("rankAssignment", value));
        return this;
    }

    @Override
    public Wrapper.Builder elasticity(Elasticity value) {
        elasticity = requireSet("elasticity", value);
        return this;
    }

    @Override
    public Wrapper.Builder leaveOn(String signal, Duration grace) {
        String name = JvmSignal.of(requireSet("leaveOn", signal)).name().substring("SIG".length());
        requireSet("grace of leaveOn", grace);
        if (grace.isNegative() || grace.compareTo(LONGEST_GRACE) > 0) {
            throw new IllegalArgumentException("leaveOn: the grace of SIG%s is %s s: it must be 0 to %d days"
                    .formatted(name, grace.toMillis() / 1e3, LONGEST_GRACE.toDays()));
        }
        leaveOn.put(name, grace);
        return this;
    }

    @Override
    public Wrapper.Builder prepare(Prepare value) {
        prepare = once("prepare", prepare, value);
        return this;
    }

    @Override
    public Wrapper.Builder initialize(Initialize value) {
        initialize = once("initialize", initialize, value);
        return this;
    }

    @Override
    public Wrapper.Builder abort(Abort value) {
        abort = once("abort", abort, value);
        return this;
    }

    @Override
    public Wrapper.Builder finalize(Finalize value) {
        finish = once("finalize", finish, value);
        return this;
    }

    @Override
    public Wrapper.Builder healthCheck(HealthCheck value) {
        healthCheck = once("healthCheck", healthCheck, value);
        return this;
    }

    @Override
    public Wrapper.Builder completion(Completion value) {
        completion = once("completion", completion, value);
        return this;
    }

    @Override
    public Wrapper.Builder terminate(Terminate value) {
        terminate = once("terminate", terminate, value);
        return this;
    }

    @Override
    public Wrapper.Builder listener(RestartListener value) {
        listener = once("listener", listener, value);
        return this;
    }

    @Override
    public Wrapper.Builder monitorThreadInterval(Duration value) {
        monitorThreadInterval = requireSet("monitorThreadInterval", value);
        return this;
    }

    @Override
    public Wrapper.Builder monitorProcessInterval(Duration value) {
        monitorProcessInterval = requireSet("monitorProcessInterval", value);
        return this;
    }

    @Override
    public Wrapper.Builder heartbeatInterval(Duration value) {
        heartbeatInterval = requireSet("heartbeatInterval", value);
        return this;
    }

    @Override
    public Wrapper.Builder progressWatchdogInterval(Duration value) {
        progressWatchdogInterval = requireSet("progressWatchdogInterval", value);
        return this;
    }

    @Override
    public Wrapper.Builder softTimeout(Duration value) {
        softTimeout = requireSet("softTimeout", value);
        return this;
    }

    @Override
    public Wrapper.Builder hardTimeout(Duration value) {
        hardTimeout = requireSet("hardTimeout", value);
        return this;
    }

    @Override
    public Wrapper.Builder firstStepTimeout(Duration value) {
        firstStepTimeout = requireSet("firstStepTimeout", value);
        return this;
    }

    @Override
    public Wrapper.Builder heartbeatTimeout(Duration value) {
        heartbeatTimeout = requireSet("heartbeatTimeout", value);
        return this;
    }

    @Override
    public Wrapper.Builder barrierTimeout(Duration value) {
        barrierTimeout = requireSet("barrierTimeout", value);
        return this;
    }

    @Override
    public Wrapper.Builder completionTimeout(Duration value) {
        completionTimeout = requireSet("completionTimeout", value);
        return this;
    }

    @Override
    public Wrapper.Builder lastCallWait(Duration value) {
        lastCallWait = requireSet("lastCallWait", value);
        return this;
    }

    @Override
    public Wrapper.Builder terminationGraceTime(Duration value) {
        terminationGraceTime = requireSet("terminationGraceTime", value);
        return this;
    }

    @Override
    public Wrapper.Builder asyncStopDelay(Duration value) {
        asyncStopDelay = requireSet("asyncStopDelay", value);
        return this;
    }

    @Override
    public Wrapper.Builder monitorProcess(boolean value) {
        monitorProcess = value;
        return this;
    }

    @Override
    public Wrapper.Builder monitorProcessLogFile(String value) {
        monitorProcessLogFile = requireSet("monitorProcessLogFile", value);
        return this;
    }

    @Override
    public Wrapper.Builder monitorProcessPidFile(String value) {
        monitorProcessPidFile = requireSet("monitorProcessPidFile", value);
        return this;
    }

    @Override
    public Wrapper.Builder warmUp(boolean value) {
        warmUp = value;
        return this;
    }

    @Override
    public Wrapper.Builder refound(boolean value) {
        refound = value;
        return this;
    }

    @Override
    public Wrapper.Builder callNumber(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("callNumber is " + value + ": it must not be negative");
        }
        callNumber = value;
        return this;
    }

    @Override
    public Wrapper.Builder decorateThread(UnaryOperator<Runnable> value) {
        decorator = once("decorateThread", decorator, value);
        return this;
    }

    @Override
    public Wrapper.Builder enabled(boolean value) {
        enabled = value;
        return this;
    }

    private static <T> T requireSet(String setting, @Nullable T value) {
        return Objects.requireNonNull(value, () -> setting + " is null");
    }

    private static <T> T once(String hook, @Nullable T before, @Nullable T value) {
        T set = requireSet(hook, value);
        if (before != null) {
            throw new IllegalStateException(hook + " is set twice: combine both, for example with andThen");
        }
        return set;
    }

    @Override
    public Wrapper build() {
        return new InProcessWrapper(settings(), enabled);
    }

    private static StoreFactory defaultStore() {
        return StoreAddress.parse(System.getenv().getOrDefault(StoreFactory.VARIABLE, ""), 0)
                .flatMap(StoreNote::ofThisProcess)
                .<StoreFactory>map(note -> new FollowedStore(note, CONNECT_TIMEOUT))
                .orElseGet(() -> StoreFactory.byDefault(System.getenv(), CONNECT_TIMEOUT));
    }

    /** Returns the settings, checked. */
    Settings settings() {
        Environment self = environment == null ? Environment.fromVariables() : environment;
        requireEnoughRanks(self);
        Timings timings = new Timings(
                monitorThreadInterval,
                monitorProcessInterval,
                heartbeatInterval == null ? heartbeatTimeout.dividedBy(HEARTBEATS) : heartbeatInterval,
                progressWatchdogInterval,
                softTimeout,
                hardTimeout,
                firstStepTimeout(),
                heartbeatTimeout,
                barrierTimeout,
                completionTimeout,
                lastCallWait,
                terminationGraceTime,
                asyncStopDelay);
        Hooks hooks = new Hooks(
                prepare == null ? null : new OncePrepared(prepare),
                initialize,
                abort,
                finish,
                healthCheck,
                completion,
                terminate,
                listener == null ? new RestartListener() {} : listener,
                decorator == null ? UnaryOperator.identity() : decorator);
        return new Settings(
                self,
                store == null ? defaultStore() : store,
                rankAssignment,
                elasticity,
                hooks,
                timings,
                monitorProcess,
                monitorProcessLogFile,
                monitorProcessPidFile,
                warmUp == null ? self.worldSize() > 1 : warmUp,
                refound,
                callNumber,
                Collections.unmodifiableMap(new LinkedHashMap<>(leaveOn)));
    }

    /** Returns the default only where its nanoseconds fit into a long, as the checks of the timings require. */
    private Duration firstStepTimeout() {
        if (firstStepTimeout != null) {
            return firstStepTimeout;
        }
        return softTimeout.compareTo(LONGEST_GRACE.dividedBy(FIRST_STEP)) < 0
                ? softTimeout.multipliedBy(FIRST_STEP)
                : softTimeout;
    }

    /** The builder knows the world size that {@link Elasticity#WORLD_SIZE} stands for. */
    private void requireEnoughRanks(Environment self) {
        if (elasticity.minRanks() > elasticity.maxRanksOf(self.worldSize())) {
            throw new IllegalArgumentException("minRanks is " + elasticity.minRanks()
                    + ", but it must be at most maxRanks, which is WORLD_SIZE: " + self.worldSize());
        }
    }
}
