/**
 * This program opens the embedded database in a folder and, in the mode 'write', inserts numbered rows until it is killed. It
 * prints each number when its row is committed. The mode 'hold' writes nothing; 'break' damages the database.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'pg'
import { startEmbeddedDatabase } from '#server/db/embedded/index.ts'

const [folder = '', mode] = process.argv.slice(2)
try {
  const database = await startEmbeddedDatabase({ dataDir: folder })
  const pool = new Pool({ ...database.connection, max: 4 })
  await pool.query('create table if not exists written (n int primary key, filler text)')
  const { rows } = await pool.query<{ last: number }>('select coalesce(max(n), 0) as last from written')
  let next = rows[0]!.last
  process.stdout.write('ready\n')
  const write = async () => {
    for (;;) {
      next += 1
      const n = next
      await pool.query('insert into written values ($1, $2)', [n, 'x'.repeat(500)])
      process.stdout.write(`${n}\n`)
    }
  }
  if (mode === 'break') {
    // Without its disk, the engine panics.
    rmSync(join(folder, 'cluster', 'pg_wal'), { recursive: true })
    const fill = async (): Promise<void> => {
      await pool.query(`insert into written select $1 + n, repeat('x', 10000) from generate_series(1, 1000) n`, [
        (next += 1000),
      ])
      return fill()
    }
    // The statement fails because the thread has ended. The process must end without a further call.
    await fill().catch(() => new Promise((late) => setTimeout(late, 10_000)))
  }
  if (mode === 'write') await Promise.all([write(), write(), write()])
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(3)
}
