package dev.resiliency.xgboost;

import java.util.HashMap;
import java.util.Map;

/** What the integration tests train. */
enum Variant {
    /** Histograms, the default. */
    PLAIN,
    APPROX,
    CLASSES,
    /** Rows and columns are drawn in each round. */
    SAMPLED,
    /** The same, with a generator that goes on from round to round. */
    CARRIED,
    DART,
    FOREST,
    RANKING,
    CATEGORICAL,
    CUSTOM,
    STOPPING;

    Map<String, Object> params() {
        Map<String, Object> params = new HashMap<>(
                Map.of("objective", "binary:logistic", "nthread", 1, "max_depth", 4, "seed", 7, "verbosity", 1));
        params.putAll(
                switch (this) {
                    case PLAIN -> Map.of();
                    case APPROX -> Map.of("tree_method", "approx");
                    case CLASSES -> Map.of("objective", "multi:softprob", "num_class", 3, "base_score", 0.5);
                    case SAMPLED -> Map.of("subsample", 0.5, "colsample_bytree", 0.6);
                    case DART -> Map.of("booster", "dart", "rate_drop", 0.3);
                    case CARRIED -> Map.of("subsample", 0.5, "colsample_bytree", 0.6, "seed_per_iteration", false);
                    case FOREST -> Map.of("num_parallel_tree", 3, "subsample", 0.7);
                    case RANKING -> Map.of("objective", "rank:ndcg", "lambdarank_pair_method", "topk");
                    case CATEGORICAL -> Map.of("max_cat_to_onehot", 1);
                    case CUSTOM -> Map.of("base_score", 0.5);
                    case STOPPING -> Map.of("eval_metric", "error", "eta", 1.0, "max_depth", 8);
                });
        return params;
    }
}
