package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.LaunchConfig;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An address of a store: {@code HOST} or {@code HOST:PORT}, an IPv6 address in brackets. */
record Address(String host, int port) {

    /** Parses it. */
    static final class Converter implements ITypeConverter<Address> {
        @Override
        public Address convert(String text) {
            int colon = text.lastIndexOf(':');
            boolean hasPort = colon > text.lastIndexOf(']');
            String host = hasPort ? text.substring(0, colon) : text;
            boolean isBracketed = host.startsWith("[") && host.endsWith("]");
            String bare = isBracketed ? host.substring(1, host.length() - 1) : host;
            try {
                int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : LaunchConfig.DEFAULT_PORT;
                if (!bare.isBlank() && (isBracketed || bare.indexOf(':') < 0) && port > 0) {
                    return new Address(bare, port);
                }
            } catch (NumberFormatException e) {
                // falls through to the same message
            }
            throw new TypeConversionException(
                    "'%s' is no address: write HOST or HOST:PORT, as in host0:29400 or [fd00::1]:29400"
                            .formatted(text));
        }
    }
}
