/** A key-value store over TCP with barriers, watches and sessions. */
module dev.resiliency.store {
    requires static transitive org.jspecify;
    requires org.slf4j;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.unix.common;

    exports dev.resiliency.store;
    exports dev.resiliency.store.spi.guard;
    exports dev.resiliency.store.spi;
    exports dev.resiliency.store.tcp;
}
