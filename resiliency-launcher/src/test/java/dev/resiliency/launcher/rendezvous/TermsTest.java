package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TermsTest {
    private static final Terms TERMS = new Terms(2, 4, "soft", 0, true);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4 2 8 soft 0 true|--nproc-per-node is 8 there, and 4 on this node",
                "4 3 4 soft 0 true|the minimum of --nnodes is 3 there, and 2 on this node",
                "4 2 4 hard 0 true|--restart-policy is hard there, and soft on this node",
                "4 2 4 soft 2 true|--segment is 2 there, and 0 on this node",
                "4 2 4 soft 0 false|--no-refound is true there, and false on this node",
                "3 2 4 soft 0|another version of the protocol",
                "1 2 4 soft|another version of the protocol",
                "anything|another version of the protocol"
            })
    void differenceNamesWhatDiffers(String job, String difference) {
        assertThat(TERMS.differenceFrom(job)).contains(difference);
    }

    @Test
    void termsAreReadAsTheyWereWritten() {
        Terms terms = new Terms(8, 4, "hard", 2, true);

        assertThat(Terms.read(terms.text())).isEqualTo(terms);
    }
}
