package dev.resiliency.launcher.attribution.service;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the service does.
 *
 * @param logs the only directory whose files it reads
 * @param model to ask; null for rules alone
 * @param export where each verdict is posted; null for nowhere
 */
public record AnalysisSettings(
        Path logs, @Nullable Model model, @Nullable URI export) {

    /**
     * A language model.
     *
     * @param base of its chat-completions API, such as {@code https://host/v1}
     * @param name such as {@code nvidia/nemotron-3-super-120b-a12b}
     * @param keyFile contains the key
     */
    public record Model(URI base, String name, Path keyFile) {}
}
