package dev.resiliency.xgboost;

import java.util.Locale;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.XGBoostError;

/**
 * Ends a training when a score has not improved for some rounds. What it knows is in attributes of the model, {@code
 * best_iteration} and {@code best_score} as {@code XGBoost.train} writes them, and so survives a restart with it.
 *
 * <pre>{@code
 * EarlyStopping stopping = EarlyStopping.minimize(10);
 * while (live.rounds() < 1_000 && !stopping.isDue(live)) {
 *     live.round(booster -> {
 *         booster.update(train, live.rounds());
 *         float[] error = new float[1];
 *         booster.evalSet(new DMatrix[] {test}, new String[] {"test"}, live.rounds(), error);
 *         stopping.score(booster, live.rounds(), error[0]);
 *     });
 * }
 * }</pre>
 *
 * @param patience the number of rounds without an improvement after which the training ends
 * @param maximize whether a larger score is a better one
 * @since 0.1.0
 */
public record EarlyStopping(int patience, boolean maximize) {
    private static final String BEST_ROUND = "best_iteration";
    private static final String BEST_SCORE = "best_score";

    /** Checks the arguments. */
    public EarlyStopping {
        if (patience < 1) {
            throw new IllegalArgumentException("patience is " + patience + ": it must be one round at least");
        }
    }

    /** Stops when a score such as an error no longer falls. */
    public static EarlyStopping minimize(int patience) {
        return new EarlyStopping(patience, false);
    }

    /** Stops when a score such as an accuracy no longer rises. */
    public static EarlyStopping maximize(int patience) {
        return new EarlyStopping(patience, true);
    }

    /**
     * Notes the score after a round, within {@link LiveBooster#round}. It must be the same on all ranks, as those of {@code
     * evalSet} are.
     *
     * @param round the number of the round, from 0 on
     */
    public void score(Booster booster, int round, float score) throws XGBoostError {
        String best = booster.getAttr(BEST_SCORE);
        if (best == null || isBetter(score, Float.parseFloat(best))) {
            booster.setAttr(BEST_ROUND, String.valueOf(round));
            booster.setAttr(BEST_SCORE, String.valueOf(score));
        }
    }

    private boolean isBetter(float score, float best) {
        return maximize ? score > best : score < best;
    }

    /** Returns whether the training ends here. */
    public boolean isDue(LiveBooster live) throws InterruptedException {
        String best = live.attribute(BEST_ROUND);
        return best != null && live.rounds() - 1 - Integer.parseInt(best) >= patience;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "after %d rounds without a better score", patience);
    }
}
