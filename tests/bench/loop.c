/* The floor: a bare loop that writes the same whole board to everybody, with no server around it.

   loop SIZE prints its port. A client that connects and ends its head gets one chunk of SIZE bytes, and every
   line on the input makes the loop write such a chunk to all clients. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 65536 };

static struct { int is_listening; unsigned wanted; long unsent; } phones[MOST];
static char *board;
static long size;
static int epoll;

static void put(int file) {
  long done = write(file, board + size - phones[file].unsent, phones[file].unsent);
  if (done > 0) phones[file].unsent -= done;
  unsigned wanted = EPOLLIN | (phones[file].unsent ? EPOLLOUT : 0);
  if (wanted == phones[file].wanted) return;
  phones[file].wanted = wanted;
  struct epoll_event event = {.events = wanted, .data.fd = file};
  epoll_ctl(epoll, EPOLL_CTL_MOD, file, &event);
}

static void answer(int file, int door) {
  static char buffer[65536];
  if (file == door) {
    int phone;
    while ((phone = accept4(door, 0, 0, SOCK_NONBLOCK)) >= 0) {
      int one = 1;
      setsockopt(phone, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
      struct epoll_event event = {.events = EPOLLIN, .data.fd = phone};
      epoll_ctl(epoll, EPOLL_CTL_ADD, phone, &event);
      phones[phone].wanted = EPOLLIN;
    }
    return;
  }
  long length = read(file, buffer, sizeof buffer);
  if (length <= 0 && errno != EAGAIN) {
    phones[file].is_listening = 0;
    close(file);
  } else if (length >= 4 && !memcmp(buffer + length - 4, "\r\n\r\n", 4)) {
    static const char head[] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    if (write(file, head, sizeof head - 1) < 0) perror("write");
    phones[file].is_listening = 1;
    phones[file].unsent = size;
    put(file);
  }
}

int main(int argc, char **argv) {
  long bytes = argc == 2 ? atol(argv[1]) : 16000;
  board = malloc(bytes + 32);
  size = sprintf(board, "%lx\r\n", bytes);
  memset(board + size, 'x', bytes);
  memcpy(board + (size += bytes), "\r\n", 2);
  size += 2;
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int door = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (bind(door, (void *)&address, sizeof address) || listen(door, 8192)) { perror("listen"); return 1; }
  getsockname(door, (void *)&address, &length);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  epoll = epoll_create1(0);
  struct epoll_event wanted = {.events = EPOLLIN, .data.fd = 0};
  epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &wanted);
  wanted.data.fd = door;
  epoll_ctl(epoll, EPOLL_CTL_ADD, door, &wanted);
  static struct epoll_event ready[1024];
  char order[256];
  for (;;) {
    int count = epoll_wait(epoll, ready, 1024, -1);
    for (int i = 0; i < count; i++) {
      int file = ready[i].data.fd;
      if (file != 0) {
        if (ready[i].events & EPOLLOUT) put(file);
        else answer(file, door);
        continue;
      }
      if (read(0, order, sizeof order) <= 0) return 0;
      for (int phone = 0; phone < MOST; phone++)
        if (phones[phone].is_listening) { phones[phone].unsent = size; put(phone); }
    }
  }
}
