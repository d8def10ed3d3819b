package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TermsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 2 8 soft|--nproc-per-node is 8 there, and 4 on this node",
                "1 3 4 soft|the minimum of --nnodes is 3 there, and 2 on this node",
                "1 2 4 hard|--restart-policy is hard there, and soft on this node",
                "2 2 4 soft|another version of the protocol",
                "anything|another version of the protocol"
            })
    void differenceNamesWhatDiffers(String job, String difference) {
        assertThat(new Terms(2, 4, "soft").differenceFrom(job)).contains(difference);
    }
}
