package dev.resiliency.store.tcp;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** PyTorch's own store and ours, each as the other's server, through one list of cases. */
class PyTorchInteropIT {

    /** Shows that the cases describe PyTorch's behaviour. */
    @Nested
    class PyTorchsClientOnPyTorchsServer extends QueueCases {
        private final PyTorchStore server = PyTorchStore.serve();

        @AfterEach
        void closeServer() {
            server.close();
        }

        @Override
        PyTorchStore connect() {
            return PyTorchStore.connect(server.port());
        }
    }

    @Nested
    class PyTorchsClientOnOurServer extends QueueCases {
        private final TcpStoreServer server;

        PyTorchsClientOnOurServer() throws InterruptedException {
            server = TcpStoreServer.builder().pytorch(true).start();
        }

        @AfterEach
        void closeServer() {
            server.close();
        }

        @Override
        PyTorchStore connect() {
            return PyTorchStore.connect(server.port());
        }
    }

    @Nested
    class OurClientOnPyTorchsServer extends InteropCases {
        private final PyTorchStore server = PyTorchStore.serve();

        @AfterEach
        void closeServer() {
            server.close();
        }

        @Override
        Verbs connect() throws InterruptedException {
            return OurClient.connect(server.port());
        }
    }

    @Nested
    class OurClientOnOurServer extends InteropCases {
        private final TcpStoreServer server;

        OurClientOnOurServer() throws InterruptedException {
            server = TcpStoreServer.builder().pytorch(true).start();
        }

        @AfterEach
        void closeServer() {
            server.close();
        }

        @Override
        Verbs connect() throws InterruptedException {
            return OurClient.connect(server.port());
        }
    }

    /** Clients of both kinds use the same names of keys. */
    @Nested
    class BothClientsOnOurServer extends InteropCases {
        private final TcpStoreServer server;
        private boolean isOurs;

        BothClientsOnOurServer() throws InterruptedException {
            server = TcpStoreServer.builder().pytorch(true).start();
        }

        @AfterEach
        void closeServer() {
            server.close();
        }

        @Override
        Verbs connect() throws InterruptedException {
            isOurs = !isOurs;
            return isOurs
                    ? new OurClient(TcpStore.builder().port(server.port()).connect())
                    : PyTorchStore.connect(server.port());
        }
    }

    @Nested
    class BothClientsOnPyTorchsServer extends InteropCases {
        private final PyTorchStore server = PyTorchStore.serve();
        private boolean isOurs;

        @AfterEach
        void closeServer() {
            server.close();
        }

        @Override
        Verbs connect() throws InterruptedException {
            isOurs = !isOurs;
            return isOurs ? OurClient.connect(server.port()) : PyTorchStore.connect(server.port());
        }
    }
}
