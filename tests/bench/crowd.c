/* A crowd of phones in one process and thread: as many streams as are wanted, and when each got an update.

   crowd PORT                         then, a line each on the input:
   join NAME COUNT PACKED PATH        opens streams; "NAME joined FIRST LAST BYTES" once each has a board
   again NAME                         they are about to be cut off: "joined" again once all are back
   leave NAME                         closes them: "NAME left"
   For every update that has reached a whole group: "NAME told P50 P95 P99 LAST BYTES".
   Times are seconds of CLOCK_MONOTONIC, BYTES is the mean size of a stream's chunk as it came over the wire.
   At most MOST_DIALLED wait for an answer at a time: the system queues no more than some 4,000 connections.
   A chunk of less than SMALL bytes is a beat or the advice on reconnecting. Phones cut off dial again. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SMALL = 64, GROUPS = 64, MOST_DIALLED = 3000, BUFFER = 1 << 18 };

struct group {
  char name[32], request[4096];
  int count, is_joined;
  double *moments;
  int told;
  double bytes;
};

struct phone {
  struct group *group;
  int file, body, has_dialled, is_answered;
  long left;     /* bytes of the chunk still to come, its line end included */
  long size;     /* of the chunk */
  char line[32]; /* the size line so far, or the last bytes of the head */
  int length;
};

static struct group groups[GROUPS];
static int group_count, epoll, port, dialling, undialled;
static double pause_until;
static struct phone *phones;
static int phone_count, phone_room;

static double now(void) {
  struct timespec moment;
  clock_gettime(CLOCK_MONOTONIC, &moment);
  return moment.tv_sec + moment.tv_nsec / 1e9;
}

static int earlier(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return difference < 0 ? -1 : difference > 0;
}

static void watch(struct phone *phone, unsigned events, int operation) {
  struct epoll_event event = {.events = events, .data.u64 = phone - phones};
  epoll_ctl(epoll, operation, phone->file, &event);
}

static void dial(struct phone *phone) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  phone->file = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (phone->file < 0) { perror("socket"); exit(1); }
  int one = 1;
  setsockopt(phone->file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(phone->file, (void *)&address, sizeof address) < 0 && errno != EINPROGRESS) {
    perror("connect"); exit(1);
  }
  phone->body = phone->has_dialled = phone->is_answered = 0;
  phone->left = phone->length = 0;
  watch(phone, EPOLLOUT | EPOLLIN, EPOLL_CTL_ADD);
  dialling++;
  undialled--;
}

static void hang_up(struct phone *phone) {
  if (phone->file < 0) return;
  if (phone->has_dialled && !phone->is_answered) dialling--;
  close(phone->file);
  phone->file = -1;
  undialled++;
}

static void dial_more(void) {
  if (!undialled || now() < pause_until) return;
  for (int i = 0; i < phone_count && dialling < MOST_DIALLED; i++)
    if (phones[i].group && phones[i].file == -1) dial(&phones[i]);
}

static void told(struct phone *phone) {
  struct group *group = phone->group;
  group->moments[group->told++] = now();
  group->bytes += phone->size;
  if (group->told < group->count) return;
  qsort(group->moments, group->count, sizeof(double), earlier);
  double mean = group->bytes / group->count;
  int last = group->count - 1;
  if (group->is_joined)
    printf("%s told %.6f %.6f %.6f %.6f %.1f\n", group->name, group->moments[last / 2],
           group->moments[(int)(last * 0.95)], group->moments[(int)(last * 0.99)], group->moments[last], mean);
  else
    printf("%s joined %.6f %.6f %.1f\n", group->name, group->moments[0], group->moments[last], mean);
  fflush(stdout);
  group->is_joined = 1;
  group->told = 0;
  group->bytes = 0;
}

/* Reads only as much of an answer as it takes to see where its chunks end. */
static void follow(struct phone *phone, const char *data, long size) {
  while (size > 0) {
    if (phone->left > 0) {
      long step = size < phone->left ? size : phone->left;
      data += step; size -= step; phone->left -= step;
      if (phone->left == 0 && phone->size >= SMALL) told(phone);
      continue;
    }
    if (phone->length == sizeof phone->line - 1) {
      memmove(phone->line, phone->line + 8, phone->length -= 8);
    }
    phone->line[phone->length++] = *data++;
    size--;
    phone->line[phone->length] = 0;
    if (!phone->body) {
      if (phone->length >= 4 && !memcmp(phone->line + phone->length - 4, "\r\n\r\n", 4)) {
        phone->body = 1;
        phone->length = 0;
      }
    } else if (phone->length >= 2 && phone->line[phone->length - 1] == '\n') {
      phone->size = strtol(phone->line, 0, 16);
      phone->left = phone->size + 2;
      phone->length = 0;
    }
  }
}

static void serve(struct phone *phone, unsigned events) {
  static char buffer[BUFFER];
  if (!phone->has_dialled && events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) {
    int problem = 0;
    socklen_t size = sizeof problem;
    getsockopt(phone->file, SOL_SOCKET, SO_ERROR, &problem, &size);
    if (problem) { dialling--; hang_up(phone); pause_until = now() + 0.02; return; }
    phone->has_dialled = 1;
    watch(phone, EPOLLIN, EPOLL_CTL_MOD);
    if (write(phone->file, phone->group->request, strlen(phone->group->request)) < 0) perror("write");
    return;
  }
  for (;;) {
    long size = read(phone->file, buffer, BUFFER);
    if (size > 0) {
      if (!phone->is_answered) { phone->is_answered = 1; dialling--; }
      follow(phone, buffer, size);
    } else if (size == 0 || errno != EAGAIN) { hang_up(phone); return; }
    if (size < BUFFER) return;
  }
}

static struct group *named(const char *name) {
  for (int i = 0; i < group_count; i++)
    if (!strcmp(groups[i].name, name)) return &groups[i];
  struct group *group = &groups[group_count++];
  strcpy(group->name, name);
  return group;
}

static void obey(char *order) {
  char verb[16], name[32], path[2048];
  int count, packed;
  if (sscanf(order, "%15s %31s %d %d %2047s", verb, name, &count, &packed, path) < 2) return;
  struct group *group = named(name);
  if (!strcmp(verb, "join")) {
    snprintf(group->request, sizeof group->request,
             "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n%s\r\n", path,
             packed ? "Accept-Encoding: gzip, deflate, br\r\n" : "");
    group->count = count;
    group->told = group->is_joined = 0;
    group->bytes = 0;
    group->moments = realloc(group->moments, count * 2 * sizeof(double));
    if (phone_count + count > phone_room) {
      phone_room = phone_count + count;
      phones = realloc(phones, phone_room * sizeof *phones);
    }
    for (int i = 0; i < count; i++) phones[phone_count++] = (struct phone){.group = group, .file = -1};
    undialled += count;
  } else if (!strcmp(verb, "again")) {
    group->told = group->is_joined = 0;
    group->bytes = 0;
  } else if (!strcmp(verb, "leave")) {
    for (int i = 0; i < phone_count; i++)
      if (phones[i].group == group) { hang_up(&phones[i]); phones[i].group = 0; undialled--; }
    printf("%s left\n", name);
    fflush(stdout);
  }
}

/* While an update is on its way the crowd does not sleep: phones elsewhere cost a server no wake-ups. */
static int is_told_in_part(void) {
  for (int i = 0; i < group_count; i++)
    if (groups[i].is_joined && groups[i].told > 0) return 1;
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  port = atoi(argv[1]);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  epoll = epoll_create1(0);
  struct epoll_event input = {.events = EPOLLIN, .data.u64 = -1};
  epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &input);
  static struct epoll_event ready[1024];
  static char orders[8192];
  int held = 0;
  for (;;) {
    int count = epoll_wait(epoll, ready, 1024, is_told_in_part() ? 0 : 20);
    for (int i = 0; i < count; i++) {
      if (ready[i].data.u64 != (unsigned long long)-1) {
        struct phone *phone = &phones[ready[i].data.u64];
        if (phone->file >= 0) serve(phone, ready[i].events);
        continue;
      }
      long size = read(0, orders + held, sizeof orders - 1 - held);
      if (size <= 0) return 0;
      held += size;
      orders[held] = 0;
      char *end;
      while ((end = strchr(orders, '\n'))) {
        *end = 0;
        obey(orders);
        memmove(orders, end + 1, held -= end + 1 - orders);
        orders[held] = 0;
      }
    }
    dial_more();
  }
}
