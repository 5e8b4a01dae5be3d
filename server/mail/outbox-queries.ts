import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import { asSystem, type Tx } from '#server/db/client.ts'
import { outbox } from '#server/db/tables/auth.ts'

export type Email = typeof outbox.$inferSelect

/** Adds an e-mail that is due at once and expires after `seconds`. It is sent after the transaction commits. */
export const insertEmail = (
  tx: Tx,
  email: { recipient: string; subject: string; text: string; html: string },
  seconds: number,
) => tx.insert(outbox).values({ ...email, expires_at: sql`now() + make_interval(secs => ${seconds})` })

/**
 * Returns an e-mail that is due and has not expired. Sets the time of the next attempt to `seconds` from now: if this process
 * ends before it sends the e-mail, another process sends it then. Two processes never get the same e-mail at the same time.
 */
export const takeEmail = (seconds: number): Promise<Email | undefined> =>
  asSystem(async (tx) => {
    const due = tx
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(lte(outbox.due_at, sql`now()`), gt(outbox.expires_at, sql`now()`)))
      .orderBy(asc(outbox.due_at))
      .limit(1)
      .for('update', { skipLocked: true })
    const [email] = await tx
      .update(outbox)
      .set({ attempts: sql`${outbox.attempts} + 1`, due_at: sql`now() + make_interval(secs => ${seconds})` })
      // '= (…)' runs the subquery once. With 'in', a nested loop runs it for each row and reserves further e-mails.
      .where(sql`${outbox.id} = (${due})`)
      .returning()
    return email
  })

/** Deletes an e-mail, for example after it was sent. */
export const deleteEmail = (id: string) => asSystem((tx) => tx.delete(outbox).where(eq(outbox.id, id)))

/** Sets the time of the next attempt to send an e-mail to `seconds` from now. */
export const delayEmail = (id: string, seconds: number) =>
  asSystem((tx) =>
    tx
      .update(outbox)
      .set({ due_at: sql`now() + make_interval(secs => ${seconds})` })
      .where(eq(outbox.id, id)),
  )

/** Deletes unsent e-mails that have expired. */
export const deleteExpiredEmails = () => asSystem((tx) => tx.delete(outbox).where(lte(outbox.expires_at, sql`now()`)))
