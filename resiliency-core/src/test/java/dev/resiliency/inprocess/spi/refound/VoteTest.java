package dev.resiliency.inprocess.spi.refound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.resiliency.store.IndexSet;
import org.junit.jupiter.api.Test;

class VoteTest {
    private static final Term SECOND = new Term(1, 2);
    private static final KnownWorld FIRST = new KnownWorld(Term.FIRST, 0, IndexSet.range(0, 3), "0:0/-1:0\n1:a b");
    private static final KnownWorld NEXT = new KnownWorld(Term.FIRST, 1, IndexSet.of(1, 2), "");

    @Test
    void remembersTheLastTwoWorlds() {
        Vote vote = Vote.first(FIRST).accept(NEXT);

        assertThat(vote.agreed()).isEqualTo(FIRST);
        assertThat(vote.accepted()).isEqualTo(NEXT);
        assertThat(vote.agree().agreed()).isEqualTo(NEXT);
        assertThat(vote.withText("text").accepted().text()).isEqualTo("text");
        assertThat(vote.withText("text").agreed()).isEqualTo(FIRST);
    }

    @Test
    void nextWorldIsNotComplete() {
        assertThat(Vote.first(FIRST).complete().accept(NEXT).completed()).isFalse();
    }

    @Test
    void goesBackToTheBaseOfItsStore() {
        Vote back = Vote.first(FIRST).accept(NEXT).enrol(SECOND).goBack(FIRST, false);

        assertThat(back).isEqualTo(new Vote(SECOND, FIRST, FIRST, false, false));
        assertThat(Vote.first(FIRST).complete().goBack(FIRST, false).completed())
                .isFalse();
        assertThat(Vote.first(FIRST).complete().goBack(FIRST, true).completed()).isTrue();
    }

    @Test
    void survivesALine() {
        Vote vote = Vote.first(FIRST).accept(NEXT).complete().cede().enrol(SECOND);

        assertThat(vote.write()).doesNotContain("\n");
        assertThat(Vote.read(vote.write())).isEqualTo(vote);
        assertThat(Vote.read(vote.withoutTexts().write()).agreed().text()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> Vote.read("1.0 nothing else"));
    }

    @Test
    void laterStoresHaveHigherNumbers() {
        assertThat(Term.FIRST).isLessThan(new Term(1, 0));
        assertThat(new Term(1, 1)).isLessThan(SECOND);
        assertThat(Term.read(SECOND.toString())).isEqualTo(SECOND);
    }
}
