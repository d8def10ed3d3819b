package dev.resiliency.launcher.attribution.service;

import dev.resiliency.launcher.attribution.service.Advice.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The logs that were submitted, and what is said of them. One thread reads them, one after the other: nobody waits for it, and a log
 * that has not changed is not read twice. Safe for use by many threads.
 *
 * <p>Thread: {@code resiliency-analysis}.
 */
final class Analyses implements AutoCloseable {
    private static final int MOST_WAITING = 64;
    private static final int MOST_KNOWN = 256;

    private final @Nullable LanguageModel model;
    private final @Nullable VerdictExport export;
    private final Consumer<String> log;
    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), task -> {
                Thread reading = new Thread(task, "resiliency-analysis");
                reading.setDaemon(true);
                return reading;
            });

    /** By file, the oldest first. Guarded by itself. */
    private final Map<Path, Analysis> known = new LinkedHashMap<>();

    /**
     * What is known of a log.
     *
     * @param of what was asked: the log may have grown since, or the launcher may know more
     * @param verdict null as long as there is none
     */
    record Analysis(String id, Asked of, @Nullable Advice verdict) {
        private Analysis with(Advice found) {
            return new Analysis(id, of, found);
        }
    }

    /** A question that need not be asked again. */
    record Asked(long size, long modified, String report) {}

    /**
     * Creates the list.
     *
     * @param model null for rules alone
     * @param export null if nobody else receives the verdicts
     */
    Analyses(@Nullable LanguageModel model, @Nullable VerdictExport export, Consumer<String> log) {
        this.model = model;
        this.export = export;
        this.log = log;
    }

    /**
     * Begins to read a log.
     *
     * @throws RejectedExecutionException if too many wait
     */
    Analysis submit(Path file, Submission submission) throws IOException {
        Asked asked = new Asked(
                Files.size(file),
                Files.getLastModifiedTime(file).toMillis(),
                submission.report().toString());
        synchronized (known) {
            Analysis before = known.get(file);
            if (before != null && before.of().equals(asked)) {
                return before;
            }
            Analysis begun = new Analysis(UUID.randomUUID().toString(), asked, null);
            thread.execute(() -> run(file, submission, begun));
            known.remove(file);
            known.put(file, begun);
            if (known.size() > MOST_KNOWN) {
                known.remove(known.keySet().iterator().next());
            }
            return begun;
        }
    }

    /** Returns what is known of a log; null if it was not submitted. */
    @Nullable
    Analysis of(Path file) {
        synchronized (known) {
            return known.get(file);
        }
    }

    private void run(Path file, Submission submission, Analysis begun) {
        Advice verdict;
        try {
            verdict = judge(file, submission);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            return;
        } catch (IOException | RuntimeException | Error e) {
            log.accept("%s could not be read: %s".formatted(file, e));
            verdict = Advice.of(Action.UNKNOWN, "the log could not be read: " + e.getMessage());
        }
        log.accept("%s: %s, as %s (%s)"
                .formatted(file.getFileName(), verdict.action(), verdict.reason(), verdict.source()));
        synchronized (known) {
            known.replace(file, begun, begun.with(verdict)); // unless it was submitted again
        }
        if (export != null) {
            export.send(submission, begun.id(), verdict);
        }
    }

    /** What the rules are sure of needs no model. */
    private Advice judge(Path file, Submission submission) throws IOException, InterruptedException {
        LogReading reading = LogReading.of(file);
        Advice found = LogRules.judge(submission.report(), reading);
        if (model == null || found.action() == Action.STOP) {
            return found;
        }
        try {
            return model.ask(found, LogRules.excerpt(reading));
        } catch (IOException e) {
            log.accept("the model does not say: %s. The rules do".formatted(e.getMessage()));
            return found;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
