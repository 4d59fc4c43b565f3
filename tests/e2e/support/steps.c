/* Preloaded into the program: counts what it does to the files in $STEPS_BELOW, step by step,
 * writes each step to $STEPS_LOG, and kills the process before step number $STEPS_KILL_AT is done,
 * as the end of the power would. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long count = 0;

static int is_below(const char* path) {
  const char* below = getenv("STEPS_BELOW");
  return below && path && strncmp(path, below, strlen(below)) == 0;
}

static const char* path_of(int fd, char* buffer, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, buffer, size - 1);
  buffer[n > 0 ? n : 0] = 0;
  return buffer;
}

static void absolute(const char* path, char* buffer, size_t size) {
  buffer[0] = 0;
  if (path[0] != '/' && getcwd(buffer, size - 2)) strcat(buffer, "/");
  strncat(buffer, path, size - strlen(buffer) - 1);
}

static void step(const char* what, const char* path, const char* more) {
  if (!is_below(path) && !is_below(more)) return;
  const char *log = getenv("STEPS_LOG"), *kill_at = getenv("STEPS_KILL_AT");
  pthread_mutex_lock(&mutex);
  ++count;
  if (kill_at && atol(kill_at) == count) kill(getpid(), SIGKILL);
  if (log) {
    char line[8192];
    int n = snprintf(line, sizeof line, "%s\t%s\t%s\n", what, path, more ? more : "");
    int fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT, 0600);
    syscall(SYS_write, fd, line, (size_t)n);
    syscall(SYS_close, fd);
  }
  pthread_mutex_unlock(&mutex);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define OF_FD(fd) path_of(fd, buffer, sizeof buffer)

#define OPEN(name)                                             \
  int name(const char* path, int flags, ...) {                 \
    va_list rest;                                              \
    va_start(rest, flags);                                     \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;  \
    va_end(rest);                                              \
    char where[4096];                                          \
    absolute(path, where, sizeof where);                       \
    if (flags & (O_CREAT | O_TRUNC)) step("open", where, NULL); \
    return NEXT(name)(path, flags, mode);                      \
  }
OPEN(open)
OPEN(open64)

ssize_t write(int fd, const void* bytes, size_t size) {
  char buffer[4096];
  step("write", OF_FD(fd), NULL);
  return NEXT(write)(fd, bytes, size);
}
int fsync(int fd) {
  char buffer[4096];
  step("sync", OF_FD(fd), NULL);
  return NEXT(fsync)(fd);
}
int fdatasync(int fd) {
  char buffer[4096];
  step("sync", OF_FD(fd), NULL);
  return NEXT(fdatasync)(fd);
}
int ftruncate(int fd, off_t size) {
  char buffer[4096];
  step("truncate", OF_FD(fd), NULL);
  return NEXT(ftruncate)(fd, size);
}
int rename(const char* from, const char* to) {
  char one[4096], two[4096];
  absolute(from, one, sizeof one);
  absolute(to, two, sizeof two);
  step("rename", one, two);
  return NEXT(rename)(from, to);
}
int mkdir(const char* path, mode_t mode) {
  char where[4096];
  absolute(path, where, sizeof where);
  step("mkdir", where, NULL);
  return NEXT(mkdir)(path, mode);
}
int unlink(const char* path) {
  char where[4096];
  absolute(path, where, sizeof where);
  step("unlink", where, NULL);
  return NEXT(unlink)(path);
}
int remove(const char* path) {
  char where[4096];
  absolute(path, where, sizeof where);
  step("unlink", where, NULL);
  return NEXT(remove)(path);
}
