// The least that a server needs to tell many clients something: a byte from one makes it write a small message to the
// socket of each of the others: about as long as the answer to a client that waits at a barrier, and a frame of the store's
// protocol, a PUSH. Prints its port and serves until its standard input ends.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 16, BACKLOG = 4096, MAX_DESCRIPTORS = 1 << 20, EVENTS = 1024 };

static int clients[MAX_DESCRIPTORS], client_count, place[MAX_DESCRIPTORS];
static const char message[MESSAGE_BYTES] = {0, 0, 0, MESSAGE_BYTES - 4, 20};

static void die(const char *what) {
  perror(what);
  exit(1);
}

static void watch(int epoll, int descriptor) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
  epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

static void accept_all(int epoll, int server) {
  int one = 1, client;
  while ((client = accept4(server, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    watch(epoll, client);
    place[client] = client_count;
    clients[client_count++] = client;
  }
}

static void drop(int client) {
  clients[place[client]] = clients[--client_count];
  place[clients[client_count]] = place[client];
  close(client);
}

static void write_to_all_but(int asking) {
  for (int i = 0; i < client_count; i++) {
    if (clients[i] != asking && write(clients[i], message, MESSAGE_BYTES) < 0) perror("write");
  }
}

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), epoll = epoll_create1(0);
  if (bind(server, (struct sockaddr *)&address, length) || listen(server, BACKLOG)) die("listen");
  getsockname(server, (struct sockaddr *)&address, &length);
  watch(epoll, server);
  watch(epoll, STDIN_FILENO);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);

  for (;;) {
    struct epoll_event events[EVENTS];
    char in[64];
    int count = epoll_wait(epoll, events, EVENTS, -1);
    for (int i = 0; i < count; i++) {
      int descriptor = events[i].data.fd;
      if (descriptor == server) {
        accept_all(epoll, server);
      } else if (read(descriptor, in, sizeof in) > 0) {
        if (descriptor != STDIN_FILENO) write_to_all_but(descriptor);
      } else if (descriptor == STDIN_FILENO) {
        return 0;
      } else {
        drop(descriptor);
      }
    }
  }
}
