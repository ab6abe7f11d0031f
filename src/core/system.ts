/** Errors of the operating system in plain words. */

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOENT: 'no such file or folder',
  EISDIR: 'this is a folder, not a file',
  ENOTDIR: 'part of the path is a file, not a folder',
  ENOSPC: 'the disk is full. Free some space',
  EFBIG: 'the file would be larger than the limit of this process',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many open files',
  EIO: 'the disk reported an error',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'a file with this name already exists',
  EXDEV: 'a file cannot be moved to another disk',
  ELOOP: 'the path has a loop of links',
  ENAMETOOLONG: 'the name is too long',
  EBUSY: 'another program is using the file',
};

/** Explains an error of the operating system, without the file; undefined for other errors. */
export function explainSystemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? SYSTEM_ERRORS[String(error.code)] : undefined;
}

/** Explains an error of the operating system, with its file; undefined for other errors. */
export function describeSystemError(error: unknown): string | undefined {
  const known = explainSystemCode(error);
  if (known === undefined) return undefined;
  const path = String(Reflect.get(Object(error), 'path') ?? '');
  return path === '' ? `${known}.` : `${path}: ${known}.`;
}
