/**
 * Passwords of PDFs in the queue, by job. Only in this process's memory: never in the database, the queue or the log. A
 * job without its password (the server restarted) fails with a request for it.
 */
const passwords = new Map<string, { password: string; timer: NodeJS.Timeout }>()

/** Lifetime of a password whose job does not start. */
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
