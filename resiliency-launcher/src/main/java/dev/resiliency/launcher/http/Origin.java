package dev.resiliency.launcher.http;

import com.sun.net.httpserver.Headers;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether a request comes from a page of this server. A browser also sends requests for other pages: one whose name its owner has let
 * point to this host names itself in {@code Host}, and one of another server in {@code Origin} and {@code Sec-Fetch-Site}.
 */
public final class Origin {
    private static final Pattern PORT = Pattern.compile(":\\d+$");
    /** An address is safe: nobody can let it point elsewhere. */
    private static final Pattern ADDRESS = Pattern.compile("\\[[0-9a-f:.%]+]|\\d+\\.\\d+\\.\\d+\\.\\d+");

    private static final Set<String> SAME = Set.of("same-origin", "none");

    private final Set<String> names;

    private Origin(Set<String> names) {
        this.names = names;
    }

    /** Returns the check for a server of this host. */
    public static Origin ofThisHost() {
        try {
            String name = InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
            return new Origin(new HashSet<>(List.of("localhost", name, name.replaceFirst("\\..*", ""))));
        } catch (UnknownHostException e) {
            return new Origin(Set.of("localhost"));
        }
    }

    /** Returns whether the request names this host, or an address. */
    public boolean isOwnHost(Headers headers) {
        String host = host(headers.getFirst("Host"));
        return ADDRESS.matcher(host).matches() || names.contains(host);
    }

    private static String host(@Nullable String header) {
        return header == null
                ? ""
                : PORT.matcher(header.toLowerCase(Locale.ROOT)).replaceFirst("");
    }

    /** Returns whether no page of another server sends the request. */
    public boolean isOwnPage(Headers headers) {
        String origin = headers.getFirst("Origin");
        String site = headers.getFirst("Sec-Fetch-Site");
        return (origin == null || origin.equals("http://" + headers.getFirst("Host")))
                && (site == null || SAME.contains(site));
    }
}
