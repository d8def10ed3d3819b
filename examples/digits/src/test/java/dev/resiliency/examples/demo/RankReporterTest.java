package dev.resiliency.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.examples.demo.DemoEvent.FaultDue;
import dev.resiliency.examples.demo.DemoEvent.Report;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.examples.job.Json;
import dev.resiliency.examples.job.LineWriter;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.State;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.testing.FakeCallWrapper;
import dev.resiliency.testing.InjectedException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RankReporterTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final LineWriter lines = new LineWriter(new PrintStream(bytes, true, UTF_8));

    @Test
    void processInjectsTheFaultsOfItsRankWhateverItsNumber() {
        RankReporter rank = rank(2, "exception:1@5", "exception:2@5", "exception:2@7");
        CallWrapper call = call(8);

        assertThatCode(() -> rank.stepStarts(call, 4)).doesNotThrowAnyException();
        assertThatThrownBy(() -> rank.stepStarts(call, 5)).isInstanceOf(InjectedException.class);
        assertThatCode(() -> rank.stepStarts(call, 5)).doesNotThrowAnyException();
        assertThatThrownBy(() -> rank.stepStarts(call, 7)).isInstanceOf(InjectedException.class);

        assertThat(announced()).containsExactly(due("exception:2@5", 5), due("exception:2@7", 7));
    }

    @Test
    void delaysCountFromTheFirstStep() {
        RankReporter rank = rank(0, "exception:0@0s");

        assertThatThrownBy(() -> rank.stepStarts(call(0), 1)).isInstanceOf(InjectedException.class);
    }

    private RankReporter rank(int rank, String... faults) {
        List<TrainingFault> ofJob = Stream.of(faults).map(TrainingFault::parse).toList();
        return new RankReporter(rank, ofJob, lines);
    }

    private static FaultDue due(String fault, int step) {
        return new FaultDue(TrainingFault.parse(fault), step);
    }

    private List<DemoEvent> announced() {
        lines.flush();
        return bytes.toString(UTF_8)
                .lines()
                .map(line -> Json.read(line, Report.class))
                .flatMap(Optional::stream)
                .map(Report::event)
                .toList();
    }

    private static CallWrapper call(int number) {
        return new FakeCallWrapper(new State(number, 4, 3, 4, State.Mode.ACTIVE, 3, 4, 2), InMemoryStore.create());
    }
}
