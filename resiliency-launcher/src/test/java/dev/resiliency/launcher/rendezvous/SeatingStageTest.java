package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.spi.refound.Term;
import dev.resiliency.launcher.rendezvous.SeatingFacts.Limits;
import dev.resiliency.launcher.rendezvous.SeatingStage.Action;
import dev.resiliency.launcher.rendezvous.SeatingStage.Agreeing;
import dev.resiliency.launcher.rendezvous.SeatingStage.Completing;
import dev.resiliency.launcher.rendezvous.SeatingStage.Deciding;
import dev.resiliency.launcher.rendezvous.SeatingStage.DecidingWorld;
import dev.resiliency.launcher.rendezvous.SeatingStage.Event;
import dev.resiliency.launcher.rendezvous.SeatingStage.Following;
import dev.resiliency.launcher.rendezvous.SeatingStage.LastCall;
import dev.resiliency.launcher.rendezvous.SeatingStage.Reading;
import dev.resiliency.launcher.rendezvous.SeatingStage.Seated;
import dev.resiliency.launcher.rendezvous.SeatingStage.Step;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each stage with each event: agent 1 of a job of at least two nodes, after agent 0 has left unless another row says so. */
class SeatingStageTest {
    private static final Duration LAST_CALL = Duration.ofSeconds(5);
    /** The clock may overflow. */
    private static final long NOW =
            Long.valueOf(Long.MAX_VALUE) - 1; // no constant: the compiler would object to what overflows

    private static final SeatTable EMPTY = new SeatTable(0, 0, Map.of());
    private static final SeatTable TABLE = new SeatTable(1, 0, Map.of(1, seat(0), 2, seat(1)));
    private static final SeatingFacts FACTS = facts(Roster.EMPTY
            .with(Keys.CAME, IndexSet.of(0, 1, 2))
            .with(Keys.DONE, IndexSet.of(0))
            .with(Keys.ready(0), IndexSet.of(1, 2, 3)));

    private static final AgentWorld WORLD =
            new AgentWorld(0, Term.FIRST, IndexSet.empty(), IndexSet.of(1, 2), List.of());
    private static final Map<String, SeatingStage> STAGES = Map.of(
            "Following", new Following(),
            "Reading", new Reading(null),
            "LastCall", new LastCall(EMPTY, null),
            "Deciding", new Deciding(new Action.Decide(EMPTY, TABLE.seats(), IndexSet.empty(), IndexSet.empty())),
            "Seated", new Seated(TABLE),
            "Completing", new Completing(TABLE),
            "DecidingWorld", new DecidingWorld(TABLE),
            "Agreeing", new Agreeing(TABLE));

    private static final Map<String, Event> EVENTS = Map.of(
            "RosterGrew", new Event.RosterGrew(Keys.GONE, IndexSet.of(2)),
            "CycleOpened", new Event.CycleOpened(1),
            "CycleCalled", new Event.CycleCalled(1),
            "JobIsComplete", new Event.JobIsComplete(),
            "WorldDecided", new Event.WorldDecided(WORLD),
            "WorldAgreed", new Event.WorldAgreed(0),
            "Scaled", new Event.Scaled(new NodeRange(1, 1)),
            "Due", new Event.Due(),
            "Read", new Event.Read(List.of(), TABLE),
            "Decided", new Event.Decided(true));

    private static final String TABLE_OF_STEPS = """
            Following     | RosterGrew    | Reading       | report c; read seats of 0
            Following     | CycleOpened   | Reading       | read seats of 1
            Following     | CycleCalled   | Reading       | read seats of 0
            Following     | JobIsComplete | Reading       | read seats of 0
            Following     | WorldDecided  | Reading       | read seats of 0
            Following     | WorldAgreed   | Reading       | read seats of 0
            Following     | Scaled        | Reading       | read seats of 0
            Following     | Due           | Reading       | read seats of 0
            Following     | Read          | throws        |
            Following     | Decided       | throws        |
            Reading       | RosterGrew    | Reading       |
            Reading       | CycleOpened   | Reading       |
            Reading       | CycleCalled   | Reading       |
            Reading       | JobIsComplete | Reading       |
            Reading       | WorldDecided  | Reading       |
            Reading       | WorldAgreed   | Reading       |
            Reading       | Scaled        | Reading       |
            Reading       | Due           | Reading       |
            Reading       | Read          | Seated        |
            Reading       | Decided       | throws        |
            LastCall      | RosterGrew    | LastCall      | report c
            LastCall      | CycleOpened   | Reading       | read seats of 1
            LastCall      | CycleCalled   | LastCall      |
            LastCall      | JobIsComplete | LastCall      |
            LastCall      | WorldDecided  | Agreeing      |
            LastCall      | WorldAgreed   | LastCall      |
            LastCall      | Scaled        | Deciding      | seat {1=0} wait {}
            LastCall      | Due           | LastCall      |
            LastCall      | Read          | throws        |
            LastCall      | Decided       | throws        |
            Deciding      | RosterGrew    | Deciding      |
            Deciding      | CycleOpened   | Deciding      |
            Deciding      | CycleCalled   | Deciding      |
            Deciding      | JobIsComplete | Deciding      |
            Deciding      | WorldDecided  | Deciding      |
            Deciding      | WorldAgreed   | Deciding      |
            Deciding      | Scaled        | Deciding      |
            Deciding      | Due           | Deciding      |
            Deciding      | Read          | throws        |
            Deciding      | Decided       | Seated        |
            Seated        | RosterGrew    | Seated        | report c; c is lost
            Seated        | CycleOpened   | Reading       | read seats of 1
            Seated        | CycleCalled   | Seated        |
            Seated        | JobIsComplete | Seated        |
            Seated        | WorldDecided  | Agreeing      |
            Seated        | WorldAgreed   | Seated        |
            Seated        | Scaled        | Seated        |
            Seated        | Due           | Seated        |
            Seated        | Read          | throws        |
            Seated        | Decided       | throws        |
            Completing    | RosterGrew    | Completing    |
            Completing    | CycleOpened   | Completing    |
            Completing    | CycleCalled   | Completing    |
            Completing    | JobIsComplete | Completing    |
            Completing    | WorldDecided  | Completing    |
            Completing    | WorldAgreed   | Completing    |
            Completing    | Scaled        | Completing    |
            Completing    | Due           | Completing    |
            Completing    | Read          | throws        |
            Completing    | Decided       | Completing    |
            DecidingWorld | RosterGrew    | DecidingWorld |
            DecidingWorld | CycleOpened   | DecidingWorld |
            DecidingWorld | CycleCalled   | DecidingWorld |
            DecidingWorld | JobIsComplete | DecidingWorld |
            DecidingWorld | WorldDecided  | DecidingWorld |
            DecidingWorld | WorldAgreed   | DecidingWorld |
            DecidingWorld | Scaled        | DecidingWorld |
            DecidingWorld | Due           | DecidingWorld |
            DecidingWorld | Read          | throws        |
            DecidingWorld | Decided       | Seated        |
            Agreeing      | RosterGrew    | Seated        | report c; c is lost
            Agreeing      | CycleOpened   | Reading       | read seats of 1
            Agreeing      | CycleCalled   | Seated        |
            Agreeing      | JobIsComplete | Seated        |
            Agreeing      | WorldDecided  | Agreeing      |
            Agreeing      | WorldAgreed   | Seated        |
            Agreeing      | Scaled        | Seated        |
            Agreeing      | Due           | Seated        |
            Agreeing      | Read          | throws        |
            Agreeing      | Decided       | throws        |
            """;

    private static Seat seat(int group) {
        return new Seat(0, group, 2, 4);
    }

    private static Node node(int arrival) {
        String name = "abcde".substring(arrival, arrival + 1);
        return new Node(arrival, name, name, Node.NO_RANK, "");
    }

    private static SeatingFacts facts(Roster roster) {
        SeatingFacts none =
                SeatingFacts.of(1, new Limits(new Terms(2, 4, "soft", 0, true), 3, Integer.MAX_VALUE, LAST_CALL));
        return none.with(roster).after(new Event.Read(List.of(node(0), node(1), node(2)), null));
    }

    private static String text(Action action) {
        if (action instanceof Action.Read read) {
            return (read.seats() ? "read seats of " : "read nodes in ") + read.cycle();
        } else if (action instanceof Action.Decide decide) {
            Map<Integer, Integer> groups = new TreeMap<>();
            decide.seats().forEach((arrival, seat) -> groups.put(arrival, seat.group()));
            Set<Integer> waiting = decide.waiting().stream().boxed().collect(Collectors.toSet());
            return "seat %s wait %s"
                    .formatted(groups, waiting)
                    .replace('[', '{')
                    .replace(']', '}');
        } else if (action instanceof Action.ReportLost lost) {
            return "report " + lost.node();
        } else if (action instanceof Action.EndJob end) {
            return "end the job in cycle " + end.table().cycle();
        } else if (action instanceof Action.AnnounceGone gone) {
            return gone.node() + " " + gone.fate();
        }
        if (action instanceof Action.DecideWorld world) {
            return "let %s vote".formatted(world.members());
        }
        Action.AnnounceSeated seated = (Action.AnnounceSeated) action;
        return "%s has %d".formatted(seated.node(), seated.seat().group());
    }

    private static List<String[]> steps() {
        return TABLE_OF_STEPS
                .lines()
                .map(line ->
                        Arrays.stream(line.split("\\|", -1)).map(String::strip).toArray(String[]::new))
                .toList();
    }

    /** Steps on from stage to stage. */
    private static final class Walk {
        private SeatingFacts facts;
        private SeatingStage stage;
        private List<String> actions = List.of();

        Walk(SeatingFacts facts, SeatingStage stage) {
            this.facts = facts;
            this.stage = stage;
        }

        Walk on(Event event) {
            return on(event, NOW);
        }

        Walk on(Event event, long now) {
            Step step = SeatingStage.step(facts, stage, event, now);
            facts = step.facts();
            stage = step.stage();
            actions = step.actions().stream().map(SeatingStageTest::text).toList();
            return this;
        }
    }

    private static SeatingStage stage(String name) {
        return Objects.requireNonNull(STAGES.get(name));
    }

    private static Event event(String name) {
        return Objects.requireNonNull(EVENTS.get(name));
    }

    @ParameterizedTest(name = "{0} | {1}")
    @MethodSource("steps")
    void eventLeadsToTheNextStageAndToItsActions(String stage, String event, String next, String actions) {
        Walk walk = new Walk(FACTS, stage(stage));

        if (next.equals("throws")) {
            assertThatThrownBy(() -> walk.on(event(event)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(event)
                    .hasMessageContaining(stage);
        } else {
            walk.on(event(event));
            assertThat(walk.stage.getClass().getSimpleName()).isEqualTo(next);
            assertThat(String.join("; ", walk.actions)).isEqualTo(actions);
        }
    }

    @Test
    void tableHasEachStageWithEachEvent() {
        Set<String> pairs = new HashSet<>();
        for (Class<?> stage : SeatingStage.class.getPermittedSubclasses()) {
            for (Class<?> event : Event.class.getDeclaredClasses()) {
                pairs.add(stage.getSimpleName() + " " + event.getSimpleName());
            }
        }

        assertThat(steps()).extracting(row -> row[0] + " " + row[1]).containsExactlyInAnyOrderElementsOf(pairs);
    }

    @Test
    void onlyTheLowestOfThoseThatLiveDoesMoreThanFollow() {
        SeatingFacts facts =
                facts(Roster.EMPTY.with(Keys.CAME, IndexSet.of(0, 1, 2)).with(Keys.ready(0), IndexSet.of(1, 2)));
        Walk walk = new Walk(facts, new Following()).on(new Event.Due());
        assertThat(walk.stage).isEqualTo(new Following());

        walk.on(new Event.RosterGrew(Keys.GONE, IndexSet.of(0)));

        assertThat(walk.actions).containsExactly("report a", "read seats of 0");
    }

    @Test
    void agentThatIsNotTheLowestAnyMoreForgetsWhatItHasRead() {
        SeatingFacts late = facts(FACTS.roster().with(Keys.GONE, IndexSet.of(1)));

        assertThat(new Walk(late, new Seated(TABLE)).on(new Event.Due()).stage).isEqualTo(new Following());
        assertThat(new Walk(late, new LastCall(EMPTY, NOW)).on(new Event.Due()).stage)
                .isEqualTo(new Following());
        assertThat(new Walk(late, new Reading(null)).on(new Event.Due()).stage).isEqualTo(new Reading(null));
        assertThat(new Walk(late, new Reading(null)).on(new Event.Read(List.of(), TABLE)).stage)
                .isEqualTo(new Following());
    }

    @Test
    void whatWasReadOfAnEarlierCycleIsReadAgain() {
        Walk walk = new Walk(FACTS, new Reading(null)).on(new Event.CycleOpened(1));

        walk.on(new Event.Read(List.of(), TABLE));

        assertThat(walk.actions).containsExactly("read seats of 1");
    }

    @Test
    void tableIsReadAgainWhenAnotherAgentHasDecided() {
        Walk walk = new Walk(FACTS, new LastCall(EMPTY, null));

        walk.on(new Event.RosterGrew(Keys.TABLES, IndexSet.of(0)));

        assertThat(walk.actions).containsExactly("read seats of 0");
    }

    @Test
    void ownDecisionDoesNotMakeTheTableOutdated() {
        Walk walk = new Walk(FACTS, stage("Deciding")).on(new Event.RosterGrew(Keys.TABLES, IndexSet.of(0)));

        assertThat(walk.on(new Event.Decided(true)).stage).isEqualTo(new Seated(TABLE));
    }

    @Test
    void enoughNodesWaitForMoreOfThemOnce() {
        Walk walk = new Walk(FACTS, new Reading(null)).on(new Event.Read(List.of(), EMPTY));
        assertThat(walk.stage).isEqualTo(new LastCall(EMPTY, NOW + LAST_CALL.toNanos()));

        long later = NOW + LAST_CALL.toNanos() - 1;
        walk.on(new Event.Due(), later);
        assertThat(walk.stage).isEqualTo(new LastCall(EMPTY, later + 1));
        walk.on(new Event.Due(), later + 1);

        assertThat(walk.actions).containsExactly("seat {1=0, 2=1} wait {}");
    }

    @Test
    void asManyAsMayComeBeginAtOnce() {
        Walk walk = new Walk(FACTS, new LastCall(EMPTY, NOW + 1)).on(new Event.RosterGrew(Keys.CAME, IndexSet.of(3)));
        assertThat(walk.actions).containsExactly("read nodes in 0");

        walk.on(new Event.Read(List.of(node(3)), null));

        assertThat(walk.actions).containsExactly("seat {1=0, 2=1, 3=2} wait {}");
    }

    @Test
    void lossOfANodeBeginsTheWaitAnew() {
        Walk walk = new Walk(FACTS, new LastCall(EMPTY, null)).on(new Event.Due());
        walk.on(new Event.RosterGrew(Keys.LEAVING, IndexSet.of(2)), NOW + 1);
        assertThat(walk.stage).isEqualTo(new LastCall(EMPTY, null));

        walk.on(new Event.RosterGrew(Keys.CAME, IndexSet.of(3)), NOW + 2);
        walk.on(new Event.Read(List.of(node(3)), null), NOW + 2);

        assertThat(walk.stage).isEqualTo(new LastCall(EMPTY, NOW + 2 + LAST_CALL.toNanos()));
    }

    @Test
    void cycleBeginsOnlyWhenAllProcessesOfEarlierOnesHaveEnded() {
        Walk walk = new Walk(FACTS.after(new Event.CycleOpened(1)), new Reading(null));
        SeatTable next = new SeatTable(0, 1, Map.of());
        walk.on(new Event.Read(List.of(), next));
        walk.on(new Event.RosterGrew(Keys.LEAVING, IndexSet.of(2)));
        walk.on(new Event.Scaled(new NodeRange(1, 1)));
        walk.on(new Event.RosterGrew(Keys.ready(1), IndexSet.of(1)));
        assertThat(walk.stage).as("one that leaves counts, too").isEqualTo(new LastCall(next, null));

        walk.on(new Event.RosterGrew(Keys.ready(1), IndexSet.of(2)));

        assertThat(walk.actions).containsExactly("seat {1=0} wait {}");
    }

    @Test
    void jobEndsWhenTheRanksOfAllThatAreThereHaveCompleted() {
        Walk walk = new Walk(FACTS, new Seated(TABLE)).on(new Event.RosterGrew(Keys.completed(0), IndexSet.of(2)));
        assertThat(walk.actions).isEmpty();

        walk.on(new Event.RosterGrew(Keys.completed(0), IndexSet.of(1)));

        assertThat(walk.actions).containsExactly("end the job in cycle 0");
        assertThat(walk.on(new Event.Decided(true)).on(new Event.Due()).stage).isEqualTo(new Completing(TABLE));
    }

    @Test
    void lostNodeIsExcusedUnlessAllStartAgainForIt() {
        Roster roster = FACTS.roster().with(Keys.completed(0), IndexSet.of(1)).with(Keys.GONE, IndexSet.of(2));
        SeatingFacts hard = SeatingFacts.of(
                        1, new Limits(new Terms(2, 4, "hard", 0, true), 3, Integer.MAX_VALUE, LAST_CALL))
                .with(roster)
                .after(new Event.Read(List.of(node(0), node(1), node(2)), null));
        Walk walk = new Walk(hard, new Seated(TABLE)).on(new Event.Due());
        assertThat(walk.actions).containsExactly("report c", "c is lost");

        assertThat(walk.on(new Event.JobIsComplete()).actions).containsExactly("end the job in cycle 0");
        assertThat(new Walk(facts(roster), new Seated(TABLE)).on(new Event.Due()).actions)
                .containsExactly("report c", "c is lost", "end the job in cycle 0");
    }

    @Test
    void jobDoesNotEndOnceACycleIsCalled() {
        Walk walk = new Walk(FACTS, new Completing(TABLE)).on(new Event.CycleCalled(1));

        walk.on(new Event.RosterGrew(Keys.completed(0), IndexSet.of(1, 2))).on(new Event.Decided(false));
        assertThat(walk.actions).containsExactly("read seats of 0");
        walk.on(new Event.Read(List.of(), TABLE));

        assertThat(walk.stage).isEqualTo(new Seated(TABLE));
    }

    @Test
    void nothingIsDecidedBeforeHalfHaveAcceptedWhoVotes() {
        Walk walk = new Walk(FACTS.with(Electorate.NONE), new LastCall(EMPTY, null))
                .on(new Event.Scaled(new NodeRange(1, 2)));
        assertThat(walk.actions).containsExactly("let {1, 2} vote");
        walk.on(new Event.WorldDecided(WORLD)).on(new Event.Decided(true));
        assertThat(walk.stage).isEqualTo(new Agreeing(EMPTY));

        walk.on(new Event.WorldAgreed(0));
        assertThat(walk.actions).containsExactly("seat {1=0, 2=1} wait {}");
        walk.on(new Event.Decided(true)).on(new Event.RosterGrew(Keys.GONE, IndexSet.of(2)));

        assertThat(walk.actions).containsExactly("report c", "let {1} vote");
    }

    @Test
    void decisionThatCameTooLateIsTakenAnewFromWhatStands() {
        Walk walk = new Walk(FACTS, stage("Deciding")).on(new Event.Decided(false));
        assertThat(walk.actions).containsExactly("read seats of 0");

        walk.on(new Event.Read(List.of(), new SeatTable(1, 0, Map.of(1, seat(0)))));

        assertThat(walk.actions).containsExactly("seat {2=1} wait {}");
    }

    @Test
    void lateNodesAreSeatedTogetherAndThoseForWhomThereIsNoRoomWait() {
        Walk walk = new Walk(FACTS.after(new Event.Scaled(new NodeRange(2, 3))), new Seated(TABLE));
        walk.on(new Event.RosterGrew(Keys.CAME, IndexSet.of(3, 4)));
        walk.on(new Event.Read(List.of(node(4), node(3)), null));
        assertThat(walk.actions).containsExactly("seat {3=2} wait {4}");

        walk.on(new Event.Decided(true));
        assertThat(walk.actions).containsExactly("d has 2");
        assertThat(walk.stage.table()).isEqualTo(TABLE.with(Map.of(3, seat(2))));

        walk.on(new Event.RosterGrew(Keys.GONE, IndexSet.of(2)));

        assertThat(walk.actions).containsExactly("report c", "c is lost", "seat {4=1} wait {}");
    }
}
