import { AppError, publicMessage } from '#server/lib/errors.ts'
import { startBoss, stopBoss } from '#server/queue/boss.ts'
import { failedJobIds, retryJobByOperator } from '#server/system/index.ts'
import { JOB_KINDS, type JobKind } from '#shared/contract/jobs.ts'
import type { Command } from './command.ts'

const isKind = (kind: string): kind is JobKind => (JOB_KINDS as readonly string[]).includes(kind)

/** The command that queues failed jobs again: the job with an id, all jobs of a kind, or all jobs. */
export const requeueCommand: Command = {
  usage: `<id of a job>|all [--kind ${JOB_KINDS.join('|')}]`,
  argument: 'required',
  run: async (wanted, { kind }) => {
    if (kind !== undefined && !isKind(kind)) throw new AppError('refused', `${kind} is no kind of job.`)
    const ids = wanted === 'all' ? await failedJobIds(kind) : [wanted]
    const queued: string[] = []
    const refused: { id: string; reason: string }[] = []
    await startBoss()
    try {
      for (const id of ids)
        await retryJobByOperator(id).then(
          (job) => queued.push(job.id),
          (error: unknown) => refused.push({ id, reason: publicMessage(error) }),
        )
    } finally {
      await stopBoss()
    }
    return {
      lines: [
        `${queued.length} ${queued.length === 1 ? 'job is' : 'jobs are'} queued again.`,
        ...refused.map(({ id, reason }) => `${id}: ${reason}`),
      ],
      data: { queued, refused },
      failed: refused.length > 0,
    }
  },
}
