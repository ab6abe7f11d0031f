/*
 * Comes between a process and its disk (LD_PRELOAD): it records what is written to the files below
 * TORTURE_UNDER in the file TORTURE_LOG, and makes calls fail. The process speaks to it by asking
 * whether it can access a path:
 *   /torture/say/TEXT             puts a line into the record, such as what was answered
 *   /torture/fail/KIND/N/ERROR/ON the Nth call of a KIND (write, sync, truncate, short) fails with
 *                                 that number of an error; ON: 1 if all later ones fail, too
 *   /torture/off                  no call fails any more
 *   /torture/failed               whether one did
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES 4096
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

enum { WRITE, SYNC, TRUNCATE, SHORT, KINDS };
static const char *const KIND_NAMES[KINDS] = {"write", "sync", "truncate", "short"};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *paths[FILES];
static const char *under;
static int record = -1;
/* The kind of call that is to fail, how many calls until then, and what was done. */
static int failing = -1, error_number, stays, failures;
static long calls_left;

static void begin(void) {
  if (under != NULL) return;
  under = getenv("TORTURE_UNDER");
  if (under == NULL) under = "/nowhere";
  const char *log = getenv("TORTURE_LOG");
  if (log != NULL) record = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
}

static int is_ours(const char *path) {
  begin();
  return path != NULL && strncmp(path, under, strlen(under)) == 0;
}

static const char *path_of(int fd) {
  return fd >= 0 && fd < FILES ? paths[fd] : NULL;
}

/* SQLite maps this file into memory, and does not need it after a power cut. */
static int is_recorded(const char *path) {
  size_t length = strlen(path);
  return record >= 0 && (length < 4 || strcmp(path + length - 4, "-shm") != 0);
}

static void put(const void *bytes, size_t count) {
  const char *at = bytes;
  while (count > 0) {
    long done = syscall(SYS_write, record, at, count);
    if (done <= 0) abort();
    at += done;
    count -= done;
  }
}

/* A line with tabs, then as many bytes as it says. */
static void note(const char *what, const char *path, long at, const void *bytes, size_t count) {
  char line[8192];
  if (record < 0 || !is_recorded(path)) return;
  int length = snprintf(line, sizeof line, "%s\t%s\t%ld\t%zu\n", what, path, at, count);
  put(line, length);
  if (count > 0) put(bytes, count);
}

/* Whether this call is the one that fails, or one after it. */
static int fails(int kind) {
  if (failing != kind || calls_left == 0 || --calls_left > 0) return 0;
  if (stays) calls_left = 1;
  failures++;
  errno = error_number;
  return 1;
}

static int opened(int fd, const char *path, int flags, int was_there) {
  if (fd < 0 || fd >= FILES) return fd;
  pthread_mutex_lock(&lock);
  paths[fd] = strdup(path);
  if (!was_there) note("create", path, 0, NULL, 0);
  else if (flags & O_TRUNC) note("truncate", path, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return fd;
}

int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  int mode = va_arg(more, int);
  va_end(more);
  int is_one = is_ours(path);
  struct stat found;
  int was_there = is_one && stat(path, &found) == 0;
  int fd = syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode);
  return is_one ? opened(fd, path, flags, was_there) : fd;
}

int close(int fd) {
  pthread_mutex_lock(&lock);
  if (fd >= 0 && fd < FILES && paths[fd] != NULL) {
    free(paths[fd]);
    paths[fd] = NULL;
  }
  pthread_mutex_unlock(&lock);
  return syscall(SYS_close, fd);
}

static ssize_t written(int fd, const void *bytes, size_t count, off_t at) {
  const char *path = path_of(fd);
  pthread_mutex_lock(&lock);
  if (fails(SHORT)) {
    /* As on a disk that is full in the middle of it. */
    failing = WRITE;
    calls_left = 1;
    count = count > 1 ? count / 2 : count;
  } else if (fails(WRITE)) {
    pthread_mutex_unlock(&lock);
    return -1;
  }
  ssize_t done = syscall(SYS_pwrite64, fd, bytes, count, at);
  if (done > 0) note("write", path, at, bytes, done);
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t at) {
  if (path_of(fd) == NULL) return syscall(SYS_pwrite64, fd, bytes, count, at);
  return written(fd, bytes, count, at);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  if (path_of(fd) == NULL) return syscall(SYS_write, fd, bytes, count);
  off_t at = lseek(fd, 0, SEEK_CUR);
  struct stat found;
  if ((fcntl(fd, F_GETFL) & O_APPEND) && fstat(fd, &found) == 0) at = found.st_size;
  ssize_t done = written(fd, bytes, count, at);
  if (done > 0) lseek(fd, at + done, SEEK_SET);
  return done;
}

static int synced(int fd, long call) {
  const char *path = path_of(fd);
  if (path == NULL) return syscall(call, fd);
  pthread_mutex_lock(&lock);
  int result = fails(SYNC) ? -1 : 0;
  if (result == 0) note("sync", path, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int fsync(int fd) { return synced(fd, SYS_fsync); }

int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

int ftruncate64(int fd, off_t size) {
  const char *path = path_of(fd);
  if (path == NULL) return syscall(SYS_ftruncate, fd, size);
  pthread_mutex_lock(&lock);
  int result = fails(TRUNCATE) ? -1 : syscall(SYS_ftruncate, fd, size);
  if (result == 0) note("truncate", path, size, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}

static int named(const char *what, const char *from, const char *to, int result) {
  if (result == 0 && is_ours(from) && is_recorded(from)) {
    pthread_mutex_lock(&lock);
    note(what, from, 0, to, to == NULL ? 0 : strlen(to));
    pthread_mutex_unlock(&lock);
  }
  return result;
}

int unlink(const char *path) {
  return named("unlink", path, NULL, syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}

int remove(const char *path) {
  int result = unlink(path);
  if (result == 0 || (errno != EISDIR && errno != EPERM)) return result;
  return syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

int unlinkat(int folder, const char *path, int flags) {
  return named("unlink", path, NULL, syscall(SYS_unlinkat, folder, path, flags));
}

int rename(const char *from, const char *to) {
  return named("rename", from, to, syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int link(const char *from, const char *to) {
  return named("link", from, to, syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}

static int said(const char *words) {
  char kind[16] = "";
  long nth = 0;
  pthread_mutex_lock(&lock);
  begin();
  int result = 0;
  if (strncmp(words, "say/", 4) == 0) {
    note("say", words + 4, 0, NULL, 0);
  } else if (sscanf(words, "fail/%15[a-z]/%ld/%d/%d", kind, &nth, &error_number, &stays) == 4) {
    failures = 0;
    calls_left = nth;
    for (failing = 0; failing < KINDS && strcmp(kind, KIND_NAMES[failing]) != 0;) failing++;
  } else if (strcmp(words, "off") == 0) {
    failing = -1;
  } else {
    result = failures > 0 ? 0 : -1;
    errno = ENOENT;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int access(const char *path, int mode) {
  static const char prefix[] = "/torture/";
  if (strncmp(path, prefix, sizeof prefix - 1) == 0) return said(path + sizeof prefix - 1);
  return syscall(SYS_faccessat, AT_FDCWD, path, mode);
}
