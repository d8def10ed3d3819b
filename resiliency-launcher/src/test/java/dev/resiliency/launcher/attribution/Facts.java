package dev.resiliency.launcher.attribution;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.launcher.attribution.Fact.Kind;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.ExitReason.Signalled;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Facts for tests. Rank {@code r} is process {@code 1000 + r} on node {@code nR}, where {@code R} is {@code r / 2}. */
final class Facts {
    /** In which all of them happen. */
    static final int CYCLE = 3;

    private Facts() {}

    static Fact ended(long number, int rank, int code, Evidence evidence) {
        return ended(number, rank, code, false, evidence);
    }

    static Fact ended(long number, int rank, int code, boolean isAsked, Evidence evidence) {
        ExitReason reason = ExitReason.of(code);
        return new Fact(
                number,
                Kind.PROCESS_ENDED,
                CYCLE,
                1_700_000_000_000L + number,
                "n" + rank / 2,
                "rank " + rank,
                rank,
                rank,
                1000 + rank,
                reason.description(),
                reason instanceof Signalled ? null : (Integer) reason.code(),
                reason instanceof Signalled signal ? signal.name() : null,
                isAsked,
                null,
                null,
                List.of(),
                evidence,
                null);
    }

    static Fact recorded(long number, int member, String kind, String message) {
        return recorded(number, member, kind, message, null);
    }

    static Fact recorded(long number, int member, String kind, String message, @Nullable Standing standing) {
        return Fact.recorded(
                number,
                CYCLE,
                "n" + member / 2,
                4,
                new Interruption(member, Interruption.Kind.valueOf(kind), null, message, standing));
    }

    /** Returns what the monitor process of a rank records that shows no progress. */
    static Fact silent(long number, int member) {
        return recorded(
                number,
                member,
                "SOFT_TIMEOUT",
                "its process has shown no progress for 4000 ms",
                Standing.of(Activity.SILENT));
    }

    static Fact ofNode(long number, Kind kind, String node, String... followers) {
        return Fact.ofNode(kind, CYCLE, 1_700_000_000_000L + number, node, "is " + kind, List.of(followers))
                .numbered(number);
    }

    /** Returns the fact that the training has gone on after this restart. */
    static Fact resumed(long number, int iteration, long from, long to) {
        return Fact.resumed(1_700_000_000_000L + number, "n0", new Resumption(CYCLE, iteration, from, to, false))
                .numbered(number);
    }

    static Evidence printed(String... lines) {
        return Evidences.of("", 0, Arrays.asList(lines), 0, List.of());
    }

    static Evidence kernel(long oomKills, String... lines) {
        return new Evidence(
                null, null, null, oomKills, List.of(lines), List.of(), null, List.of(), List.of(), null, null);
    }

    static List<String> lines(String resource) {
        try (InputStream in = Objects.requireNonNull(Facts.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
