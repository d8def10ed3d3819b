package dev.resiliency.xgboost;

import dev.resiliency.state.LiveState;
import dev.resiliency.state.LiveState.StateValue;
import dev.resiliency.state.RecoveryReport;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.jspecify.annotations.Nullable;

/**
 * A model that ranks boost together, and that survives restarts in their memory: after each round every rank keeps it as
 * bytes, in the {@link LiveState} of the iteration. All ranks go on after the last round that any of them has completed;
 * those that have just joined receive the model from the others.
 *
 * <p>What else must survive, such as the metrics of all rounds, can be attributes of the model; buffers of the live state
 * can be asked for before {@link #recover}. Belongs to the thread of the function.
 *
 * @since 0.1.0
 */
public final class LiveBooster {
    private static final String NAME = "xgboost/model";
    private static final String FORMAT = "ubj";
    private static final String LINEAR = "gblinear";
    /** It is in the model; if it were set again, a model of several classes would have it for the first one only. */
    private static final String BASE_SCORE = "base_score";
    /** So that a round draws the same numbers whether the process has run all rounds before it or not. */
    private static final Map<String, Object> DEFAULTS = Map.of("seed_per_iteration", true);

    private final XGBoostGroup group;
    private final LiveState state;
    private final StateValue model;
    private final Booster booster;
    private int rounds;

    private LiveBooster(XGBoostGroup group, LiveState state, StateValue model, Booster booster, int rounds) {
        this.group = group;
        this.state = state;
        this.model = model;
        this.booster = booster;
        this.rounds = rounds;
    }

    /** Reads the model of a checkpoint. */
    @FunctionalInterface
    public interface ModelReader<E extends Exception> {
        /** Returns the model in a format of XGBoost; no bytes if there is none. The same on all ranks. */
        byte[] read() throws E;
    }

    /** Recovers the model from memory; if no rank has it, begins with one of no rounds. */
    public static LiveBooster recover(XGBoostGroup group, Map<String, Object> params, DMatrix train)
            throws InterruptedException {
        return recover(group, params, train, () -> new byte[0]);
    }

    /**
     * Recovers the model from the memory of this rank or of others; if no rank has it, from a checkpoint. All active ranks
     * must call it, once in each iteration. As {@link LiveState#recover}, which it calls.
     *
     * @param params of XGBoost. {@code seed_per_iteration} is true unless they say otherwise: else a training that samples
     *     ends with another model if it is interrupted
     * @param train what the model is to be trained on
     * @param checkpoint returns the model that was saved last
     * @throws E if {@code checkpoint} threw it
     * @throws IllegalArgumentException if the params ask for {@code gblinear}, with which each rank would train a model of
     *     its own
     */
    public static <E extends Exception> LiveBooster recover(
            XGBoostGroup group, Map<String, Object> params, DMatrix train, ModelReader<E> checkpoint)
            throws E, InterruptedException {
        if (group.size() > 1 && LINEAR.equals(params.get("booster"))) {
            throw new IllegalArgumentException(
                    "XGBoost does not train the booster " + LINEAR + " on several ranks together: use gbtree or dart");
        }
        LiveState state = LiveState.of(group.call());
        StateValue model = state.value(NAME);
        long rounds = state.recover(() -> {
            byte[] read = checkpoint.read();
            model.set(read);
            return roundsOf(group, read);
        });
        Map<String, Object> all = new HashMap<>(DEFAULTS);
        all.putAll(params);
        Booster booster = group.booster(() -> create(all, train, model.get()));
        return new LiveBooster(group, state, model, booster, Math.toIntExact(rounds));
    }

    private static long roundsOf(XGBoostGroup group, byte[] model) {
        if (model.length == 0) {
            return 0;
        }
        try {
            Booster booster = load(model);
            try {
                return booster.getNumBoostedRound();
            } finally {
                booster.dispose();
            }
        } catch (XGBoostError e) {
            throw new XGBoostGroupException(group.rank(), "checkpoint", String.valueOf(e.getMessage()), e);
        }
    }

    private static Booster load(byte[] model) throws XGBoostError {
        try {
            return XGBoost.loadModel(model);
        } catch (IOException e) {
            throw new XGBoostError("cannot load a model", e);
        }
    }

    private static Booster create(Map<String, Object> params, DMatrix train, byte[] model) throws XGBoostError {
        if (model.length == 0) {
            return XGBoost.train(train, params, 0, Map.of(), null, null); // its constructor is not public
        }
        Booster booster = load(model);
        Map<String, Object> further = new HashMap<>(params);
        further.remove(BASE_SCORE);
        booster.setParams(further);
        return booster;
    }

    /** Changes a model by one round, such as {@code booster.update(train, live.rounds())}. */
    @FunctionalInterface
    public interface Round {
        /** Runs the round; whatever else belongs to it, such as an evaluation, too. */
        void run(Booster booster) throws XGBoostError;
    }

    /** Returns how many rounds the model has. */
    public int rounds() {
        return rounds;
    }

    /**
     * Boosts the model by one round, and keeps the result in memory. Begins with a {@linkplain
     * dev.resiliency.inprocess.CallWrapper#step safe point}, which also reports progress: the soft timeout must exceed
     * the longest round, which is one native call.
     *
     * @throws XGBoostGroupException if XGBoost throws
     */
    public void round(Round round) throws InterruptedException {
        group.call().step(rounds);
        byte[] bytes = group.run(() -> {
            round.run(booster);
            return booster.toByteArray(FORMAT);
        });
        state.commit(rounds + 1, () -> model.set(bytes));
        rounds++;
    }

    /** Returns the model for predictions. It is freed when the group is closed. */
    public Booster booster() {
        return booster;
    }

    /** Returns the model after the last round, in the format UBJSON, which {@code XGBoost.loadModel} reads. Must not be changed. */
    public byte[] model() {
        return model.get();
    }

    /** Returns an attribute of the model; null if it has none of this name. */
    @Nullable
    String attribute(String name) throws InterruptedException {
        return group.<@Nullable String>run(() -> booster.getAttr(name));
    }

    /** Returns where this rank has the model from. */
    public RecoveryReport recovery() {
        return state.recovery();
    }
}
