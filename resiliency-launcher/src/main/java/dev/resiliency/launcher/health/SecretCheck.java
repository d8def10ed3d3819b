package dev.resiliency.launcher.health;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.Tls;

/** Checks the files of the secret and of TLS that the environment names. */
final class SecretCheck implements HostCheck {
    private static final String SUBJECT = "secret";

    @Override
    public Finding run() {
        try {
            String encrypted = Tls.fromEnvironment() == null ? "" : ", and connections are encrypted";
            return Secret.fromEnvironment() == null
                    ? Finding.warning(
                            SUBJECT,
                            "there is none, so whoever reaches the store can disturb the job: openssl rand -hex 32 > FILE,"
                                    + " and set " + Secret.VARIABLE + " on every host" + encrypted)
                    : Finding.ok(SUBJECT, "it protects the store" + encrypted);
        } catch (StoreException e) {
            return Finding.failure(SUBJECT, String.valueOf(e.getMessage()));
        }
    }
}
