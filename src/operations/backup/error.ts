/** A backup or restore failed. The message says why and what to do; it is printed without a stack trace. */
export class BackupError extends Error {
  override name = 'BackupError'
}
