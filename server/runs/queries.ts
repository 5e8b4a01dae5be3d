import { and, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { runs } from '#server/db/tables/runs.ts'
import type { RunValue } from '#shared/contract/runs.ts'

/** A completed run with the same input. */
export interface StoredOutput {
  run_id: string
  number: number
  /** The output that was stored with the run. */
  output: unknown
  values: RunValue[]
}

/** Returns the newest completed run of a project with this input hash that called a model. */
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
