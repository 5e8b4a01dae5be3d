import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { AppError } from '#server/lib/errors.ts'
import { authorize } from '#server/members/index.ts'
import { checkProject } from '#server/projects/index.ts'
import { type DuplicateGroups, type DuplicatesQuery, NOT_SAME_PROJECT } from '#shared/contract/duplicates.ts'
import { reference } from '#shared/contract/references.ts'
import { publishDuplicates } from './check-project.ts'
import { listProjectsOf } from './join-queries.ts'
import { paperToKeep } from './plan-join.ts'
import { deleteRefusals, findLastComparison, listGroupRows, listPapers, storeAnswers } from './queries.ts'

/**
 * Returns a page of the groups of suspected duplicates of a project, the most similar first, with the exact number of groups.
 * If there is no group, `compared` has the number of compared papers and the time of the last comparison; otherwise it is null.
 */
export const listDuplicates = (actor: Actor, query: DuplicatesQuery): Promise<DuplicateGroups> =>
  asActor(
    actor,
    async (tx) => {
      const { may } = await checkProject(tx, query.project_id, 'read')
      const { rows, count } = await listGroupRows(tx, query)
      const papers = new Map(
        (
          await listPapers(
            tx,
            rows.flatMap(({ ids }) => ids),
          )
        ).map((paper) => [paper.id, paper]),
      )
      const data = rows.map(({ id, because, is_later, ids, paper_count }) => {
        const own = ids.flatMap((one) => papers.get(one) ?? [])
        return {
          id,
          because,
          is_later,
          paper_count,
          may,
          keep_id: paperToKeep(own)?.id ?? null,
          papers: own.map(present),
        }
      })
      // Only the empty list shows it.
      const compared = count === 0 ? await withOwnerRole(tx, () => findLastComparison(tx, query.project_id)) : null
      return { data, count, compared }
    },
    query.project_id,
  )

type Paper = Awaited<ReturnType<typeof listPapers>>[number]
const present = ({ id, title, filename, page_count, edited_fields, created_at, source, ...paper }: Paper) => ({
  id,
  title,
  filename,
  reference: reference.parse(paper.reference),
  has_file: paper.source_url !== null,
  page_count,
  edited_fields,
  created_at,
  source,
})

/**
 * Stores for each pair of the papers that they are not duplicates. `count` is the number of pairs that were not marked before.
 * Throws 'not_found', 'role', or 'refused' for fewer than two papers and for papers of different projects.
 */
export const refuseDuplicates = (actor: Actor, ids: readonly string[]): Promise<{ count: number }> =>
  answer(actor, ids, 'refused')

/**
 * Moves a group of papers to the end of the list of duplicates. `count` is the number of pairs in the group for which this was
 * stored. Throws 'not_found', 'role', or 'refused' for fewer than two papers and for papers of different projects.
 */
export const postponeDuplicates = (actor: Actor, ids: readonly string[]): Promise<{ count: number }> =>
  answer(actor, ids, 'later')

/**
 * Undoes the decision that papers are not duplicates. `count` is the number of pairs for which the decision was stored. Throws
 * 'not_found', 'role', or 'refused' for fewer than two papers and for papers of different projects.
 */
export const acceptDuplicates = (actor: Actor, ids: readonly string[]): Promise<{ count: number }> =>
  answer(actor, ids, null)

function answer(actor: Actor, given: readonly string[], value: 'refused' | 'later' | null): Promise<{ count: number }> {
  const ids = [...new Set(given)].toSorted()
  return asActor(actor, async (tx) => {
    const found = new Map((await listProjectsOf(tx, ids)).map((row) => [row.id, row]))
    const rows = ids.map((id) => authorize(found.get(id), 'edit', 'Document'))
    const projectId = rows[0]!.project_id
    if (projectId === null || rows.length < 2 || rows.some(({ project_id }) => project_id !== projectId))
      throw new AppError('refused', NOT_SAME_PROJECT)
    const pairs = ids.flatMap((first, at) => ids.slice(at + 1).map((second) => ({ first, second })))
    const count =
      value === null
        ? await deleteRefusals(tx, pairs)
        : await storeAnswers(tx, { projectId, userId: actor.userId, answer: value }, pairs)
    await publishDuplicates(tx, projectId, actor.userId)
    return { count }
  })
}
