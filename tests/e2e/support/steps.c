/* Preloaded into the program: counts what it does to the files in $STEPS_BELOW, step by step,
 * writes each step to $STEPS_LOG, and kills the process before step number $STEPS_KILL_AT is done.
 *
 * That shows what the order of the steps leaves when the process ends between two of them. It is no
 * end of the power: the system keeps what was written, synced or not. What would be lost then is
 * seen from the log alone: whether each write is followed by a sync (steps.py: `survives`).
 *
 * What a library buffers counts twice, where it is put into the buffer and where the buffer is
 * emptied at the latest: with `fwrite` nothing need have reached the system, with `fclose` it has.
 * libzip writes in this way. Not seen: what the C library does inside (a buffer that is emptied
 * because it is full is part of its `fwrite`), memory that is mapped, and system calls without a
 * function of the C library. */

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
#include <sys/sendfile.h>
#include <sys/types.h>
#include <sys/uio.h>
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

static void at_folder(int folder, const char* path, char* buffer, size_t size) {
  if (folder == AT_FDCWD || path[0] == '/') {
    absolute(path, buffer, size);
    return;
  }
  path_of(folder, buffer, size - 1);
  strcat(buffer, "/");
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

#define TEMPORARY(name, declared, given)              \
  int name declared {                                 \
    int fd = NEXT(name) given;                        \
    char buffer[4096];                                \
    if (fd >= 0) step("open", OF_FD(fd), NULL);       \
    return fd;                                        \
  }
/* Counted when it is there: it has no name before. */
TEMPORARY(mkstemp, (char* pattern), (pattern))
TEMPORARY(mkstemp64, (char* pattern), (pattern))
TEMPORARY(mkostemp, (char* pattern, int flags), (pattern, flags))
TEMPORARY(mkostemp64, (char* pattern, int flags), (pattern, flags))

int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  char where[4096];
  at_folder(folder, path, where, sizeof where);
  if (flags & (O_CREAT | O_TRUNC)) step("open", where, NULL);
  return NEXT(openat)(folder, path, flags, mode);
}

#define FOPEN(name)                                                \
  FILE* name(const char* path, const char* how) {                  \
    char where[4096];                                              \
    absolute(path, where, sizeof where);                           \
    if (strpbrk(how, "wa")) step("open", where, NULL);             \
    return NEXT(name)(path, how);                                  \
  }
FOPEN(fopen)
FOPEN(fopen64)

static void buffered(const char* what, FILE* f) {
  char buffer[4096];
  int fd = f ? fileno(f) : -1;
  if (fd >= 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY) step(what, OF_FD(fd), NULL);
}
size_t fwrite(const void* bytes, size_t size, size_t count, FILE* f) {
  buffered("write", f);
  return NEXT(fwrite)(bytes, size, count, f);
}
int fputs(const char* text, FILE* f) {
  buffered("write", f);
  return NEXT(fputs)(text, f);
}
int fputc(int c, FILE* f) {
  buffered("write", f);
  return NEXT(fputc)(c, f);
}
int fflush(FILE* f) {
  buffered("write", f);
  return NEXT(fflush)(f);
}
int fclose(FILE* f) {
  buffered("write", f);
  return NEXT(fclose)(f);
}
ssize_t writev(int fd, const struct iovec* pieces, int count) {
  char buffer[4096];
  step("write", OF_FD(fd), NULL);
  return NEXT(writev)(fd, pieces, count);
}
ssize_t sendfile(int to, int from, off_t* at, size_t size) {
  char buffer[4096];
  step("write", path_of(to, buffer, sizeof buffer), NULL);
  return NEXT(sendfile)(to, from, at, size);
}
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
int truncate(const char* path, off_t size) {
  char where[4096];
  absolute(path, where, sizeof where);
  step("truncate", where, NULL);
  return NEXT(truncate)(path, size);
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
int unlinkat(int folder, const char* path, int flags) {
  char where[4096];
  at_folder(folder, path, where, sizeof where);
  step("unlink", where, NULL);
  return NEXT(unlinkat)(folder, path, flags);
}
int remove(const char* path) {
  char where[4096];
  absolute(path, where, sizeof where);
  step("unlink", where, NULL);
  return NEXT(remove)(path);
}
