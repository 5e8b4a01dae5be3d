import { and, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { runs } from '#server/db/tables/runs.ts'
import type { RunValue } from '#shared/contract/runs.ts'

/** The stored output of a completed run (a recorded analysis or answer), which a later run with the same input can use. */
export interface StoredOutput {
  run_id: string
  number: number
  /** The output in the form in which the run (a recorded analysis or answer) stored it. */
  output: unknown
  values: RunValue[]
}

/**
 * Returns the newest completed run (a recorded analysis or answer) of a project with this input hash. Omits runs that used the
 * output of another run. Null if there is none.
 */
export async function findStoredRun(tx: Tx, projectId: string, inputHash: string): Promise<StoredOutput | null> {
  const [row] = await tx
    .select({ run_id: runs.id, number: runs.number, output: runs.output, values: runs.values })
    .from(runs)
    .where(
      and(
        eq(runs.project_id, projectId),
        eq(runs.input_hash, inputHash),
        sql`${runs.status} = 'completed' and not ${runs.cached}`,
      ),
    )
    .orderBy(desc(runs.number))
    .limit(1)
  return row ? { ...row, values: row.values ?? [] } : null
}
