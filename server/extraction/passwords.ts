/**
 * Passwords of protected PDFs by the id of their queued job. They are only in the memory of this process, never in the
 * database, the queue or the log. After a restart of the server, the job fails and the user is asked for the password again.
 */
const passwords = new Map<string, { password: string; timer: NodeJS.Timeout }>()

/** Maximum time for which a password is stored, in ms. */
const KEEP_MS = 60 * 60 * 1000

/** Stores the password of a job in the memory of this process, for an hour at most. */
export function keepPassword(jobId: string, password: string): void {
  forgetPassword(jobId)
  passwords.set(jobId, { password, timer: setTimeout(() => passwords.delete(jobId), KEEP_MS).unref() })
}

/** Returns the password of a job; undefined if it has none, or if the server restarted. */
export const passwordOf = (jobId: string): string | undefined => passwords.get(jobId)?.password

/** Deletes the password of a job, if it has one. */
export function forgetPassword(jobId: string): void {
  clearTimeout(passwords.get(jobId)?.timer)
  passwords.delete(jobId)
}
