/**
 * Passwords of PDFs that wait in the queue, by job. They live in this process's memory alone: never in the database,
 * the queue or the log. A job whose password is gone (the server restarted) asks for it again by failing.
 */
const passwords = new Map<string, { password: string; timer: NodeJS.Timeout }>()

/** A job that has not begun after this long has been forgotten. */
const KEEP_MS = 60 * 60 * 1000

export function keepPassword(jobId: string, password: string): void {
  forgetPassword(jobId)
  passwords.set(jobId, { password, timer: setTimeout(() => passwords.delete(jobId), KEEP_MS).unref() })
}

export const passwordOf = (jobId: string): string | undefined => passwords.get(jobId)?.password

export function forgetPassword(jobId: string): void {
  clearTimeout(passwords.get(jobId)?.timer)
  passwords.delete(jobId)
}
