import { asActor } from '#server/db/client.ts'
import { hasOpenPage } from '#server/jobs/index.ts'
import { env, publicUrl } from '#server/lib/env.ts'
import type { JobRun } from '#server/queue/queue.ts'
import { log } from '#server/lib/log.ts'
import { addMail, mailEnabled } from '#server/mail/mail.ts'
import { type Actor, actorFor } from '#server/db/actor.ts'
import { getProfile } from '#server/profiles/index.ts'
import { projectOrThrow } from '#server/projects/index.ts'
import { pages } from '#shared/contract/paths.ts'
import { unambiguousAddress } from '#shared/contract/project-address.ts'
import type { ProcessResult } from '#shared/contract/processing.ts'
import { findProcessedDocuments } from './queries.ts'
import type { QueuedProcessing } from './service.ts'

/**
 * Sends an e-mail about a completed bulk run (a job for several documents) to its owner. Sends it only if the run had at least
 * two documents, the server sends e-mail, the owner's setting 'Email Notifications' is on, and the owner has no open page of
 * the application. The e-mail is stored in the transaction that completes the job, so it is sent once even if another server
 * continues the job. A failure is logged and does not fail the job.
 */
export async function emailOfRun({ ownerId, input, atCompletion }: JobRun<QueuedProcessing>, result: ProcessResult) {
  if (!mailEnabled() || result.total < 2 || hasOpenPage(ownerId)) return
  const actor = actorFor(ownerId)
  try {
    const { email, email_notifications } = await getProfile(actor, ownerId)
    if (!email_notifications) return
    const words = {
      subject: `${result.total} documents have been processed`,
      greeting: 'Hello,',
      text: `The processing of your ${result.total} documents has finished. ${summaryOf(result)}`,
      link: { label: 'Open the documents', url: publicUrl() + (await addressOf(actor, input.document_ids)) },
      closing: `You receive this e-mail because Email Notifications are switched on in your settings at ${env.PRODUCT_NAME}.`,
    }
    atCompletion((tx) => addMail(tx, email, words))
  } catch (error) {
    log.warn({ err: error }, 'could not write the e-mail about a finished run')
  }
}

const summaryOf = ({ done, unchanged, failed }: ProcessResult) =>
  [
    `${done} ${done === 1 ? 'is' : 'are'} done.`,
    ...(unchanged > 0 ? [`${unchanged} had nothing left to do.`] : []),
    ...(failed.length > 0
      ? [`${failed.length} could not be processed. The page of each document shows the reason.`]
      : []),
  ].join(' ')

/**
 * Returns the address of the page for the e-mail: the document list of the project of one of the documents, or the list of
 * projects if that document has no project.
 */
const addressOf = (actor: Actor, ids: readonly string[]): Promise<string> =>
  asActor(actor, async (tx) => {
    const project = (await findProcessedDocuments(tx, ids))[0]?.project_id
    return project ? pages.documents(unambiguousAddress(await projectOrThrow(tx, project, 'read'))) : pages.projects()
  })
