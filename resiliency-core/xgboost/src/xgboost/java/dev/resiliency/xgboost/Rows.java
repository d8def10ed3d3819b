package dev.resiliency.xgboost;

import java.util.SplittableRandom;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoostError;

/** Rows that every process makes alike, and of which each rank trains its part. */
final class Rows {
    private static final int COUNT = 1_800;
    private static final int COLUMNS = 8;
    private static final int CATEGORIES = 12;
    /** Rows of one query, for ranking: it stays on one rank. */
    private static final int QUERY = 10;

    private final Variant variant;
    private final float[][] features;
    private final float[] labels;

    private Rows(Variant variant, float[][] features, float[] labels) {
        this.variant = variant;
        this.features = features;
        this.labels = labels;
    }

    static Rows random(Variant variant) {
        SplittableRandom random = new SplittableRandom(42);
        float[][] features = new float[COUNT][COLUMNS];
        float[] labels = new float[COUNT];
        for (int row = 0; row < COUNT; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                features[row][column] = random.nextFloat();
            }
            features[row][0] = variant == Variant.CATEGORICAL ? random.nextInt(CATEGORIES) : features[row][0];
            double sum = features[row][0] * features[row][1] + Math.sin(6 * features[row][2]) + 0.3 * random.nextDouble();
            labels[row] = switch (variant) {
                case CLASSES, RANKING -> sum < 0 ? 0 : sum < 0.7 ? 1 : 2;
                default -> sum > 0.4 ? 1 : 0;
            };
        }
        return new Rows(variant, features, labels);
    }

    /** Makes the matrix of the rows of a rank, all queries of which are its own. */
    DMatrix of(int rank, int size) throws XGBoostError {
        int queries = 0;
        for (int query = rank; query < COUNT / QUERY; query += size) {
            queries++;
        }
        float[] data = new float[queries * QUERY * COLUMNS];
        float[] own = new float[queries * QUERY];
        int[] sizes = new int[queries];
        int at = 0;
        for (int query = rank; query < COUNT / QUERY; query += size) {
            sizes[at / QUERY] = QUERY;
            for (int row = query * QUERY; row < (query + 1) * QUERY; row++) {
                System.arraycopy(features[row], 0, data, at * COLUMNS, COLUMNS);
                own[at++] = labels[row];
            }
        }
        DMatrix matrix = new DMatrix(data, at, COLUMNS, Float.NaN);
        matrix.setLabel(own);
        if (variant == Variant.RANKING) {
            matrix.setGroup(sizes);
        }
        if (variant == Variant.CATEGORICAL) {
            matrix.setFeatureTypes(new String[] {"c", "float", "float", "float", "float", "float", "float", "float"});
        }
        return matrix;
    }
}
