import { asActor } from '#server/db/client.ts'
import { hasOpenPage } from '#server/jobs/index.ts'
import { env, publicUrl } from '#server/lib/env.ts'
import type { JobRun } from '#server/lib/jobs.ts'
import { log } from '#server/lib/log.ts'
import { addMail, mailEnabled } from '#server/lib/mail.ts'
import type { Actor } from '#server/lib/session.ts'
import { getProfile } from '#server/profiles/index.ts'
import { projectOrThrow } from '#server/projects/index.ts'
import { pages } from '#shared/paths.ts'
import type { ProcessResult } from '#shared/processing.ts'
import { findProcessedDocuments } from './queries.ts'
import type { QueuedProcessing } from './service.ts'

/**
 * Adds an e-mail to the completion of a run over several documents, where the server sends mail and the switch 'Email
 * Notifications' is on, unless its owner has a page open and sees it there. It belongs to the transaction that completes the job,
 * so a run that another server takes over sends one e-mail. An e-mail that cannot be written is no reason for the run to fail.
 */
export async function writeOfRun({ ownerId, input, atCompletion }: JobRun<QueuedProcessing>, result: ProcessResult) {
  if (!mailEnabled() || result.total < 2 || hasOpenPage(ownerId)) return
  const actor: Actor = { userId: ownerId, isAdmin: false }
  try {
    const { email, email_notifications } = await getProfile(actor, ownerId)
    if (!email_notifications) return
    const words = {
      subject: `${result.total} documents have been processed`,
      greeting: 'Hello,',
      text: `the work on your ${result.total} documents has ended. ${summaryOf(result)}`,
      link: { label: 'Open the documents', url: publicUrl() + (await addressOf(actor, input.document_ids)) },
      closing: `You get this letter because Email Notifications are switched on in your settings at ${env.PRODUCT_NAME}.`,
    }
    atCompletion((tx) => addMail(tx, email, words))
  } catch (error) {
    log.warn({ err: error }, 'no letter could be written about a run that has ended')
  }
}

const summaryOf = ({ done, unchanged, failed }: ProcessResult) =>
  [
    `${done} ${done === 1 ? 'is' : 'are'} done.`,
    ...(unchanged > 0 ? [`${unchanged} had nothing left to do.`] : []),
    ...(failed.length > 0 ? [`${failed.length} could not be processed; each says why on its page.`] : []),
  ].join(' ')

/** The list in which the documents stand; the projects where they have none, or are gone. */
const addressOf = (actor: Actor, ids: readonly string[]): Promise<string> =>
  asActor(actor, async (tx) => {
    const project = (await findProcessedDocuments(tx, ids))[0]?.project_id
    return project ? pages.documents((await projectOrThrow(tx, project)).name) : pages.projects()
  })
