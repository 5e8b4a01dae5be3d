import { asc, eq, inArray, lt, lte, sql } from 'drizzle-orm'
import { asOwner, type Tx } from '#server/db/client.ts'
import { outbox } from '#server/db/tables/auth.ts'
import { TRUSTED_NOW } from '../clock-queries.ts'

export type Letter = typeof outbox.$inferSelect

export const insertLetter = (tx: Tx, letter: { recipient: string; subject: string; text: string; html: string }) =>
  tx.insert(outbox).values(letter)

/**
 * Takes one letter that is due and puts its next try `seconds` away: should the process end while it is being sent, it is
 * taken up again then. Two processes never take the same one.
 */
export const takeLetter = (seconds: number): Promise<Letter | undefined> =>
  asOwner(async (tx) => {
    const due = tx
      .select({ id: outbox.id })
      .from(outbox)
      .where(lte(outbox.due_at, sql`now()`))
      .orderBy(asc(outbox.due_at))
      .limit(1)
      .for('update', { skipLocked: true })
    const [letter] = await tx
      .update(outbox)
      .set({ attempts: sql`${outbox.attempts} + 1`, due_at: sql`now() + make_interval(secs => ${seconds})` })
      .where(inArray(outbox.id, due))
      .returning()
    return letter
  })

export const deleteLetter = (id: string) => asOwner((tx) => tx.delete(outbox).where(eq(outbox.id, id)))

export const delayLetter = (id: string, seconds: number) =>
  asOwner((tx) =>
    tx
      .update(outbox)
      .set({ due_at: sql`now() + make_interval(secs => ${seconds})` })
      .where(eq(outbox.id, id)),
  )

/** Forgets what could not be sent for a day: its links have run out. */
export const deleteOldLetters = () =>
  asOwner((tx) => tx.delete(outbox).where(lt(outbox.created_at, sql`${TRUSTED_NOW} - interval '1 day'`)))
