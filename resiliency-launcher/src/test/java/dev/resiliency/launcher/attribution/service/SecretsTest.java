package dev.resiliency.launcher.attribution.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "WANDB_API_KEY=0123456789abcdef starts|WANDB_API_KEY=[hidden] starts",
                "{\"password\": \"hunter2\", \"user\": \"ada\"}|{\"password\": [hidden]\", \"user\": \"ada\"}",
                "Authorization: Bearer abc.def|Authorization: Bearer [hidden]",
                "reads s3://key:verysecret@host/bucket|reads s3://key:[hidden]@host/bucket",
                "uses nvapi-ABCDEFGHIJKLMNOP for it|uses [hidden] for it",
                "AKIAIOSFODNN7EXAMPLE|[hidden]",
                "-----BEGIN RSA PRIVATE KEY-----|[hidden]",
                "step 3, loss 0.25, tokens/s 4000|step 3, loss 0.25, tokens/s 4000"
            })
    void secretsAreHidden(String text, String hidden) {
        assertThat(Secrets.hide(text)).isEqualTo(hidden);
    }

    @Test
    void linesOfAKeyAreHidden() {
        assertThat(Secrets.hide("MIIEowIBAAKCAQEAx".repeat(4))).isEqualTo("[hidden]");
    }
}
