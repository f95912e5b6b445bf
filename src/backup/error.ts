/** A backup or restore that cannot be; the message says why and what to do, and needs no stack. */
export class BackupError extends Error {
  override name = 'BackupError'
}
