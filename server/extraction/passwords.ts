/**
 * Passwords of protected PDFs by the id of their queued job. They are only in the memory of this process, never in the
 * database, the queue or the log. After a restart of the server, the job fails and the user is asked for the password again.
 */
const passwords = new Map<string, { password: string; timer: NodeJS.Timeout }>()

/** Maximum time for which a password is stored, in ms. */
const KEEP_MS = 60 * 60 * 1000

/**
 * Stores the password with which a job opens a protected PDF. The password is only in the memory of this process, for an hour
 * at most.
 */
export function keepPassword(jobId: string, password: string): void {
  forgetPassword(jobId)
  passwords.set(jobId, { password, timer: setTimeout(() => passwords.delete(jobId), KEEP_MS).unref() })
}

/**
 * Returns the password with which a job opens a protected PDF. Returns undefined if none is stored: none was given, the hour
 * has passed, or the server restarted.
 */
export const passwordOf = (jobId: string): string | undefined => passwords.get(jobId)?.password

/** Deletes the stored password of the PDF of a job, if there is one. */
export function forgetPassword(jobId: string): void {
  clearTimeout(passwords.get(jobId)?.timer)
  passwords.delete(jobId)
}
