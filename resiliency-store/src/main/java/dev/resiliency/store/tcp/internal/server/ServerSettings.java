package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.tcp.internal.wire.Credentials;

/**
 * What a server wants of its clients.
 *
 * @param scope what they must want as well
 * @param credentials how they and the server know each other
 * @param speaksPyTorch whether clients of PyTorch's TCPStore may come as well, which know neither scope nor secret
 * @param limits how much it takes
 */
public record ServerSettings(String scope, Credentials credentials, boolean speaksPyTorch, Limits limits) {}
