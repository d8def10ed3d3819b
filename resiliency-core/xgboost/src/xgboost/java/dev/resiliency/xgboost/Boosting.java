package dev.resiliency.xgboost;

import java.util.List;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.IObjective;
import ml.dmlc.xgboost4j.java.XGBoostError;

/** A training of the integration tests in one iteration. */
record Boosting(Variant variant, DMatrix train, LiveBooster live) {
    private static final EarlyStopping STOPPING = EarlyStopping.minimize(3);

    static Boosting begin(Variant variant, XGBoostGroup group, Rows rows) throws InterruptedException {
        DMatrix train = group.matrix(() -> rows.of(group.rank(), group.size()));
        return new Boosting(variant, train, LiveBooster.recover(group, variant.params(), train));
    }

    boolean isOver() throws InterruptedException {
        return variant == Variant.STOPPING && STOPPING.isDue(live);
    }

    void round() throws InterruptedException {
        live.round(booster -> {
            if (variant == Variant.CUSTOM) {
                booster.update(train, live.rounds(), new LogisticLoss());
            } else {
                booster.update(train, live.rounds());
            }
            if (variant == Variant.STOPPING) {
                float[] error = new float[1];
                booster.evalSet(new DMatrix[] {train}, new String[] {"train"}, live.rounds(), error);
                STOPPING.score(booster, live.rounds(), error[0]);
            }
        });
    }

    /** A custom objective. */
    private static final class LogisticLoss implements IObjective {
        private static final long serialVersionUID = 1L;

        @Override
        public List<float[]> getGradient(float[][] predictions, DMatrix matrix) {
            try {
                float[] labels = matrix.getLabel();
                float[] gradient = new float[labels.length];
                float[] hessian = new float[labels.length];
                for (int row = 0; row < labels.length; row++) {
                    double probability = 1 / (1 + Math.exp(-predictions[row][0]));
                    gradient[row] = (float) (probability - labels[row]);
                    hessian[row] = (float) (probability * (1 - probability));
                }
                return List.of(gradient, hessian);
            } catch (XGBoostError e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
