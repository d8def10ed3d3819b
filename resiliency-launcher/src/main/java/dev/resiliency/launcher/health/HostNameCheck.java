package dev.resiliency.launcher.health;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Checks that other hosts can find this one by its name. */
final class HostNameCheck implements HostCheck {
    private static final String SUBJECT = "host name";

    @Override
    public Finding run() {
        try {
            InetAddress self = InetAddress.getLocalHost();
            String name = self.getHostName() + " is " + self.getHostAddress();
            return self.isLoopbackAddress()
                    ? Finding.warning(
                            SUBJECT,
                            name
                                    + ", which other hosts cannot reach: in a job of several hosts, correct /etc/hosts or give"
                                    + " an address with --local-addr")
                    : Finding.ok(SUBJECT, name);
        } catch (UnknownHostException e) {
            return Finding.failure(
                    SUBJECT, "it has no address (%s): add it to /etc/hosts or to the DNS".formatted(e.getMessage()));
        }
    }
}
